// The only import of onnxruntime-node. Everything else imports it from here, so that its telemetry is off before its
// library loads.
import { isMainThread } from 'node:worker_threads';
import type * as OnnxRuntime from 'onnxruntime-node';
import { Fault } from '../base/errors.ts';

export type { InferenceSession } from 'onnxruntime-node';

/**
 * Read once by the native library (`getenv`), when it loads. If it is unset, version 1.29 and newer report the machine,
 * the networks and how often each runs to Microsoft, and write a device id to the home folder and logs to the temporary
 * one.
 */
const SWITCH = 'ORT_DISABLE_TELEMETRY';

// A worker thread's process.env is a copy that native code does not see, so the variable must come from the main
// thread.
if (!isMainThread && process.env[SWITCH] !== '1') {
  throw new Fault(
    'INVARIANT',
    `${SWITCH}=1 must be set in the main thread before a worker thread loads models`,
  );
}
process.env[SWITCH] = '1';

/** The runtime. Imported here and not above, because static imports run before the module's own lines. */
export const ort: typeof OnnxRuntime = await import('onnxruntime-node');

/** Version of the runtime. */
export const ORT_VERSION: string = ort.env.versions.node ?? ort.env.versions.common;
