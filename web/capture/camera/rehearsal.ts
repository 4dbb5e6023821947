// A recording that is thrown away. It shows whether this device can record at all before a script is drawn, so that
// finding out costs no try.
import { SLICE_MS } from '../../../src/contract/upload-limits.ts';
import type { Answer, CallFault } from '../api/calls.ts';
import { sha256Hex } from '../api/device.ts';
import { within } from '../time/within.ts';
import type { RecordingLoad } from './camera.ts';
import { countFrames } from './frames.ts';
import { createRecorder, madeAtMs } from './recorder.ts';

/** Long enough for a page that cannot keep up to fall behind by more than is allowed. Chosen. */
const REHEARSAL_MS = 3_000;
/**
 * How late a slice may be announced, network time excluded: the recorder's start after the script is issued, the
 * slice's hash, the call before it and its own call. The service accepts 4 s, but a page that falls behind keeps
 * falling, and a recording lasts two to ten times as long. On two cores with a load of 25, a page slowed 6 times
 * reached 690, one slowed 20 times 2,300–6,800; at 2,300 its recording was lost.
 */
const MAX_LATE_MS = 1_500;
/** With fewer frames nothing can be judged. Recordings of 12 a second passed (docs/capture-page.md). */
const MIN_FRAMES = 10 * (REHEARSAL_MS / 1_000);
/** A recorder that has not finished within this time never will. */
const TIMEOUT_MS = 10_000;
/**
 * A call without an answer this long after the recording's end is as good as lost: no slice waits longer for its
 * announcement.
 */
const CALL_PATIENCE_MS = 4_000;

/** Whether this device would have announced its slices in time, or why the server cannot be asked for a script. */
export type Rehearsed =
  | { readonly ok: true; readonly inTime: boolean }
  | { readonly ok: false; readonly fault: CallFault };

const TOO_SLOW: Rehearsed = { ok: true, inTime: false };

/**
 * Records as if for the server, hashes the slices, makes calls meanwhile, and discards everything.
 * @param load what the stream was opened for
 * @param type what will be recorded
 * @param call any call to the server, to time what an announcement would take
 * @param signal aborted when the person leaves; the result is meaningless then
 * @returns a slow device takes precedence over a lost connection, because a slow device may only seem to have lost it
 */
export async function rehearse(
  stream: MediaStream,
  load: RecordingLoad,
  type: string | undefined,
  call: () => Promise<Answer<unknown>>,
  signal: AbortSignal,
): Promise<Rehearsed> {
  const recorder = createRecorder(stream, load, type);
  const slices: Promise<Uint8Array>[] = [];
  const longest = { startMs: 0, hashMs: 0 };
  // Browsers keep 250 of these entries, and then stop recording them.
  performance.clearResourceTimings();
  const fromMs = performance.now();
  const calls = callsInTurn(call);
  const over = new Promise<boolean>((resolve) => {
    signal.addEventListener('abort', () => resolve(false));
    setTimeout(() => resolve(false), TIMEOUT_MS);
    recorder.onerror = () => resolve(false);
    recorder.ondataavailable = (event) => {
      const hashed = hashedBytes(event.data).then((bytes) => {
        longest.hashMs = Math.max(longest.hashMs, performance.now() - madeAtMs(event));
        return bytes;
      });
      slices.push(hashed);
      hashed.then(calls.next, () => resolve(false));
    };
    recorder.onstart = () => {
      longest.startMs = performance.now() - fromMs;
      recorder.onstop = () => resolve(true);
      setTimeout(() => stop(recorder), REHEARSAL_MS);
    };
  });
  recorder.start(SLICE_MS);
  const ended = await over;
  stop(recorder);
  if (!ended) return TOO_SLOW;
  const counter = countFrames();
  for (const bytes of await Promise.all(slices)) counter.add(bytes);
  if ((counter.frames ?? MIN_FRAMES) < MIN_FRAMES) return TOO_SLOW;
  const { ownMs, fault } = await calls.last();
  const lateMs = longest.startMs + longest.hashMs + 2 * ownMs;
  if (lateMs > MAX_LATE_MS) return TOO_SLOW;
  return fault === null ? { ok: true, inTime: true } : { ok: false, fault };
}

/** Makes one call at a time, as announcements are made: a slice that arrives during a call is left to the next one. */
function callsInTurn(call: () => Promise<Answer<unknown>>) {
  let calling: Promise<void> | null = null;
  let longestMs = 0;
  let fault: CallFault | null = null;
  const make = async () => {
    const fromMs = performance.now();
    const answer = await call();
    // The time of a failed call cannot be attributed to the page or the network.
    if (answer.ok) longestMs = Math.max(longestMs, ownTime(fromMs, performance.now()));
    fault = answer.ok ? null : answer.fault;
    calling = null;
  };
  return {
    next: () => {
      calling ??= make();
    },
    /**
     * The most of this page's own time that a call took, and why the last one failed. Waits a while for a call that
     * hangs.
     */
    last: async (): Promise<{ ownMs: number; fault: CallFault | null }> => {
      if (calling) await within(CALL_PATIENCE_MS, calling, undefined);
      return { ownMs: longestMs, fault: calling ? 'offline' : fault };
    },
  };
}

/** The page's own time in a call that has just ended: all but the network's, if the browser reports that. */
function ownTime(fromMs: number, toMs: number): number {
  const last = performance.getEntriesByType('resource').at(-1);
  const lineMs = last && last.startTime >= fromMs ? last.duration : 0;
  return Math.max(0, toMs - fromMs - lineMs);
}

async function hashedBytes(slice: Blob): Promise<Uint8Array> {
  const bytes = await slice.arrayBuffer();
  await sha256Hex(bytes);
  return new Uint8Array(bytes);
}

function stop(recorder: MediaRecorder): void {
  if (recorder.state !== 'inactive') recorder.stop();
}
