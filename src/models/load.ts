// Compiled models → typed ONNX sessions. Every process that judges loads them once and passes them on.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as ort from 'onnxruntime-node';
import { Fault } from '../base/errors.ts';
import { dlibMap } from './dlib-map.ts';
import { expression } from './expression.ts';
import { faceDetector } from './face-detector.ts';
import { faceMesh } from './face-mesh.ts';
import { MANIFEST_FILE, type ModelManifest } from './manifest.ts';
import { loadRecogniser, type Recogniser } from './packs/load-recogniser.ts';
import { loadPad, type PadModel } from './packs/pad-pack.ts';
import { type RecogniserPack, readPack } from './packs/read-pack.ts';
import type { ModelSource } from './source.ts';
import { type PlainTensor, SessionThread } from './thread/session-thread.ts';

/** One network, ready to run. Layout, range and meaning of input and outputs stand in the model's own file. */
export interface ModelRunner<Output extends string> {
  readonly id: string;
  /** Channels, height, width. */
  readonly input: readonly [channels: number, height: number, width: number];
  /** Runs `batch` inputs laid out one after another (default 1); the outputs lie likewise. */
  run(input: Float32Array, batch?: number): Promise<Record<Output, Float32Array>>;
}

/** The networks of the judgement. */
export interface Models {
  readonly faceDetector: ModelRunner<keyof typeof faceDetector.outputs>;
  readonly faceMesh: ModelRunner<keyof typeof faceMesh.outputs>;
  readonly expression: ModelRunner<keyof typeof expression.outputs>;
  readonly dlibMap: ModelRunner<keyof typeof dlibMap.outputs>;
  /** Never empty. The first makes new templates; the others only compare with templates that they made. */
  readonly recognisers: readonly [Recogniser, ...Recogniser[]];
  /** The operator's PAD pack; null where none is supplied. */
  readonly pad: PadModel | null;
  /** Frees the sessions. */
  close(): Promise<void>;
}

export interface LoadModelsOptions {
  /** Folder that compileModels filled: manifest.json and *.onnx. */
  readonly modelsDir: string;
  /** Threads inside one network run. */
  readonly threads: number;
  /** Recogniser packs, the one for new templates first; default: the built-in default pack. */
  readonly packs?: readonly RecogniserPack[];
  /** Folder of a PAD pack. */
  readonly padPack?: string | undefined;
}

/** Name of the pack that is used where none is chosen. */
export const DEFAULT_PACK = 'mobilefacenet';

/**
 * Checks each file's SHA-256 against the manifest, then opens the sessions. Two threads share the work: what a frame
 * waits for runs on the calling one, what it does not wait for on the other; a batch of a pack's network on both.
 * @throws Fault MODELS_MISSING when set-up has not run, MODEL_CORRUPT when a file is not what was compiled, and those
 * of loadRecogniser and loadPad for the packs.
 */
export async function loadModels(options: LoadModelsOptions): Promise<Models> {
  const manifest = await readManifest(options.modelsDir);
  const settings = sessionOptions(options.threads);
  const thread = new SessionThread();
  const closers: (() => Promise<void>)[] = [() => thread.close()];
  const close = async () => {
    for (const closeOne of closers) await closeOne();
  };
  const open = async <const S extends ModelSource>(source: S) => {
    const bytes = await readModel(source.id, manifest, options.modelsDir);
    const session = await ort.InferenceSession.create(bytes, settings);
    closers.push(() => session.release());
    return runner(source, async ({ data, dims }) => {
      const results = await session.run({ input: new ort.Tensor('float32', data, dims) });
      return (output) => results[output]!.data as Float32Array;
    });
  };
  const openBeside = async <const S extends ModelSource>(source: S) => {
    const session = await thread.open(await readModel(source.id, manifest, options.modelsDir), settings);
    return runner(source, async ({ data, dims }) => {
      // A copy, for the thread takes its input over and the caller's is the caller's.
      const results = await session.run({ input: { data: data.slice(), dims } });
      return (output) => results[output]!;
    });
  };
  const openPack = async (pack: RecogniserPack) => {
    const recogniser = await loadRecogniser(pack, settings, thread);
    closers.push(() => recogniser.close());
    return recogniser;
  };
  try {
    const [main, ...kept] = options.packs ?? [readPack(DEFAULT_PACK, options.modelsDir)];
    if (!main) throw new Fault('PACK_MISSING', 'no recogniser pack is chosen');
    const recognisers: [Recogniser, ...Recogniser[]] = [await openPack(main)];
    for (const pack of kept) recognisers.push(await openPack(pack));
    const pad = options.padPack ? await loadPad(options.padPack, settings) : null;
    if (pad) closers.push(() => pad.close());
    return {
      faceDetector: await open(faceDetector),
      faceMesh: await open(faceMesh),
      expression: await openBeside(expression),
      dlibMap: await open(dlibMap),
      ...{ recognisers, pad, close },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readManifest(modelsDir: string): Promise<ModelManifest> {
  try {
    return JSON.parse(await readFile(join(modelsDir, MANIFEST_FILE), 'utf8')) as ModelManifest;
  } catch (cause) {
    throw new Fault('MODELS_MISSING', modelsDir, { cause });
  }
}

/** The bytes that were hashed: they are opened, not the path. */
async function readModel(id: string, manifest: ModelManifest, modelsDir: string): Promise<Uint8Array> {
  const record = manifest.models.find((model) => model.id === id);
  if (!record) throw new Fault('MODELS_MISSING', id);
  let bytes: Buffer;
  try {
    bytes = await readFile(join(modelsDir, record.file));
  } catch (cause) {
    throw new Fault('MODELS_MISSING', record.file, { cause });
  }
  if (createHash('sha256').update(bytes).digest('hex') !== record.sha256)
    throw new Fault('MODEL_CORRUPT', record.file);
  return bytes;
}

function sessionOptions(threads: number): ort.InferenceSession.SessionOptions {
  return {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
  };
}

function runner<const S extends ModelSource>(
  source: S,
  runOnce: (input: PlainTensor) => Promise<(output: string) => Float32Array>,
): ModelRunner<keyof S['outputs'] & string> {
  type Output = keyof S['outputs'] & string;
  const names = Object.keys(source.outputs) as Output[];
  return {
    id: source.id,
    input: source.input,
    async run(input, batch = 1) {
      const resultOf = await runOnce({ data: input, dims: [batch, ...source.input] });
      const out = {} as Record<Output, Float32Array>;
      for (const name of names) out[name] = resultOf(name);
      return out;
    },
  };
}
