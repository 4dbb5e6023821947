// Opens one network of an operator's pack: checks its hash and runs it once, since it must do what its manifest
// declares.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../base/errors.ts';
import { type InferenceSession, ort } from '../onnx-runtime.ts';
import type { PackNetwork } from './manifest.ts';

/** The file, and the shapes of its inputs. */
export type NetworkFile = Pick<PackNetwork, 'file' | 'sha256' | 'input_size' | 'layout' | 'output'>;

/** The limit of the ONNX format, and of what can be read at once. */
const MAX_NETWORK_BYTES = 2 ** 31 - 1;

/** A network ready to run. */
export interface OpenNetwork {
  /** Runs `batch` concatenated inputs, prepared as the manifest says; the outputs are concatenated likewise. */
  run(input: Float32Array, batch: number): Promise<Float32Array>;
  /** Frees the session. */
  close(): Promise<void>;
}

/**
 * Opens the file in `folder` and runs it once; `outputSize` is the number of values it must give for each picture.
 * @throws Fault PACK_MISSING, PACK_CORRUPT (another hash), PACK_INVALID (not ONNX, or other shapes than declared).
 */
export async function openNetwork(
  folder: string,
  spec: NetworkFile,
  outputSize: number,
  options: InferenceSession.SessionOptions,
): Promise<OpenNetwork> {
  const path = join(folder, spec.file);
  const session = await openSession(path, spec.sha256, options);
  try {
    const network = networkOf(session, spec, outputSize, path);
    await tryOnce(network, spec, path);
    return network;
  } catch (error) {
    await session.release();
    throw error;
  }
}

async function openSession(
  path: string,
  sha256: string,
  options: InferenceSession.SessionOptions,
): Promise<InferenceSession> {
  const bytes = await readNetwork(path);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Fault('PACK_CORRUPT', path);
  try {
    // Opens the bytes that were hashed, not the path, so external weight files are never read.
    return await ort.InferenceSession.create(bytes, options);
  } catch (cause) {
    throw new Fault('PACK_INVALID', `${path} is not a network that ONNX Runtime can open`, { cause });
  }
}

/**
 * The bytes of a pack's file.
 * @throws Fault PACK_MISSING if it does not exist; PACK_INVALID if it cannot be read whole, or is not a regular file (a
 * pipe would never end).
 */
async function readNetwork(path: string): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Fault('PACK_INVALID', `${path} is not a regular file`);
    if (found.size > MAX_NETWORK_BYTES) throw new Fault('PACK_INVALID', `${path} is too large`);
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Fault('PACK_MISSING', path, { cause });
    throw new Fault('PACK_INVALID', `${path} cannot be read: ${code}`, { cause });
  }
}

function networkOf(
  session: InferenceSession,
  spec: NetworkFile,
  outputSize: number,
  path: string,
): OpenNetwork {
  const [input, ...more] = session.inputMetadata;
  const output = spec.output ?? (session.outputNames.length === 1 ? session.outputNames[0] : undefined);
  if (!input?.isTensor || more.length > 0)
    throw new Fault('PACK_INVALID', `${path} does not have exactly one input`);
  if (!output || !session.outputNames.includes(output))
    throw new Fault(
      'PACK_INVALID',
      `${path} has outputs ${session.outputNames.join(', ')}: name one of them`,
    );
  const { input_size: side, layout } = spec;
  const dims = layout === 'nchw' ? [3, side, side] : [side, side, 3];
  const run = async (data: Float32Array, batch: number): Promise<Float32Array> => {
    const results = await session.run({ [input.name]: new ort.Tensor('float32', data, [batch, ...dims]) });
    const values = results[output]!.data;
    if (!(values instanceof Float32Array))
      throw new Fault('PACK_INVALID', `${path} gives values of a type other than float32`);
    if (values.length !== batch * outputSize)
      throw new Fault('PACK_INVALID', `${path} gives ${values.length / batch} values, not ${outputSize}`);
    return values;
  };
  // Many published networks are exported for one picture at a time.
  const single = input.shape[0] === 1;
  return {
    run: async (data, batch) => {
      if (!single || batch === 1) return run(data, batch);
      const outputs = new Float32Array(batch * outputSize);
      const length = data.length / batch;
      for (let i = 0; i < batch; i++)
        outputs.set(await run(data.subarray(i * length, (i + 1) * length), 1), i * outputSize);
      return outputs;
    },
    close: () => session.release(),
  };
}

/** Runs the network on empty pictures, because the shapes in a file may be free or wrong. */
async function tryOnce(network: OpenNetwork, spec: NetworkFile, path: string): Promise<void> {
  const { input_size: side, layout } = spec;
  let trial: Float32Array;
  try {
    trial = await network.run(new Float32Array(2 * 3 * side * side), 2);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault('PACK_INVALID', `${path} does not run on ${side} × ${side} (${layout})`, { cause });
  }
  if (!trial.every(Number.isFinite))
    throw new Fault('PACK_INVALID', `${path} gives values that are not finite`);
}
