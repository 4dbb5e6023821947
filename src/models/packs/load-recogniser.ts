// A recogniser pack → open networks, each tried once: what its manifest says must be what its files do.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as ort from 'onnxruntime-node';
import { Fault } from '../../base/errors.ts';
import type { PackNetwork } from './manifest.ts';
import type { RecogniserPack } from './read-pack.ts';

/** One network of a pack, ready to run. */
export interface RecogniserNetwork {
  readonly spec: PackNetwork;
  /** Runs `batch` inputs laid out one after another, prepared as the spec says; the embeddings lie likewise. */
  run(input: Float32Array, batch: number): Promise<Float32Array>;
}

/** A pack whose networks are open. */
export interface Recogniser {
  readonly pack: RecogniserPack;
  readonly networks: readonly RecogniserNetwork[];
  /** Frees the sessions. */
  close(): Promise<void>;
}

/**
 * Checks each file's SHA-256 against the manifest, opens it and runs it once.
 * @throws Fault PACK_MISSING, PACK_CORRUPT (another hash), PACK_INVALID (no ONNX, or other shapes than declared).
 */
export async function loadRecogniser(
  pack: RecogniserPack,
  options: ort.InferenceSession.SessionOptions,
): Promise<Recogniser> {
  const sessions: ort.InferenceSession[] = [];
  const networks: RecogniserNetwork[] = [];
  const close = async () => {
    for (const session of sessions) await session.release();
  };
  try {
    for (const spec of pack.manifest.networks) {
      const session = await openSession(pack, spec, options);
      sessions.push(session);
      networks.push(await openNetwork(session, spec, pack));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { pack, networks, close };
}

async function openSession(
  pack: RecogniserPack,
  spec: PackNetwork,
  options: ort.InferenceSession.SessionOptions,
): Promise<ort.InferenceSession> {
  const path = join(pack.folder, spec.file);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new Fault('PACK_MISSING', path, { cause });
  }
  if (createHash('sha256').update(bytes).digest('hex') !== spec.sha256) throw new Fault('PACK_CORRUPT', path);
  try {
    // The very bytes that were hashed are opened, not the path; weights beside the file are thus never read.
    return await ort.InferenceSession.create(bytes, options);
  } catch (cause) {
    throw new Fault('PACK_INVALID', `${path} is no network that the ONNX runtime opens`, { cause });
  }
}

/** Runs the network on an empty picture, since shapes in a file may be free or wrong. */
async function openNetwork(
  session: ort.InferenceSession,
  spec: PackNetwork,
  pack: RecogniserPack,
): Promise<RecogniserNetwork> {
  const where = join(pack.folder, spec.file);
  const [input, ...more] = session.inputMetadata;
  const output = spec.output ?? (session.outputNames.length === 1 ? session.outputNames[0] : undefined);
  if (!input?.isTensor || more.length > 0) throw new Fault('PACK_INVALID', `${where} has not one input`);
  if (!output || !session.outputNames.includes(output))
    throw new Fault(
      'PACK_INVALID',
      `${where} has outputs ${session.outputNames.join(', ')}: name one of them`,
    );
  const { input_size: side, layout, embedding_size: size } = spec;
  const dims = layout === 'nchw' ? [3, side, side] : [side, side, 3];
  const run = async (data: Float32Array, batch: number): Promise<Float32Array> => {
    const results = await session.run({ [input.name]: new ort.Tensor('float32', data, [batch, ...dims]) });
    return results[output]!.data as Float32Array;
  };
  // Many published networks are exported for one picture at a time.
  const single = input.shape[0] === 1;
  const network: RecogniserNetwork = {
    spec,
    run: async (data, batch) => {
      if (!single || batch === 1) return run(data, batch);
      const embeddings = new Float32Array(batch * size);
      const length = data.length / batch;
      for (let i = 0; i < batch; i++)
        embeddings.set(await run(data.subarray(i * length, (i + 1) * length), 1), i * size);
      return embeddings;
    },
  };
  let trial: Float32Array;
  try {
    trial = await network.run(new Float32Array(2 * 3 * side * side), 2);
  } catch (cause) {
    throw new Fault('PACK_INVALID', `${where} does not run on ${dims.join(' × ')} (${layout})`, { cause });
  }
  if (!(trial instanceof Float32Array) || trial.length !== 2 * size || !trial.every(Number.isFinite))
    throw new Fault('PACK_INVALID', `${where} gives ${trial.length / 2} values, not ${size} finite ones`);
  return network;
}
