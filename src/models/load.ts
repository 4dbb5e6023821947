// Opens compiled models as typed ONNX sessions. Every process that judges loads them once and passes them on.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../base/errors.ts';
import { dlibMap } from './dlib-map.ts';
import { expression } from './expression.ts';
import { faceDetector } from './face-detector.ts';
import { faceMesh } from './face-mesh.ts';
import { MANIFEST_FILE, type ModelManifest, type ModelRecord } from './manifest.ts';
import { type InferenceSession, ort } from './onnx-runtime.ts';
import { loadRecogniser, type Recogniser } from './packs/load-recogniser.ts';
import { loadPad, type PadModel } from './packs/pad-pack.ts';
import {
  DEFAULT_PACK,
  DEFAULT_PAD_PACK,
  NO_PAD_PACK,
  packFolder,
  type RecogniserPack,
  readPack,
} from './packs/read-pack.ts';
import type { ModelSource } from './source.ts';

/** One network, ready to run. Layout, range and meaning of input and outputs are in the model's own file. */
export interface ModelRunner<Output extends string> {
  readonly id: string;
  /** Channels, height, width. */
  readonly input: readonly [channels: number, height: number, width: number];
  /** Runs `batch` concatenated inputs (default 1); the outputs are concatenated likewise. */
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
  /** Null if it is switched off. */
  readonly pad: PadModel | null;
  /** Files of the networks that belong to no pack, each with the lower-case hex of its SHA-256. */
  readonly files: readonly Pick<ModelRecord, 'id' | 'sha256'>[];
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
  /** PAD pack: the name of a built-in one, the path of a folder, or `none`; default: the built-in default pack. */
  readonly padPack?: string;
}

/**
 * Checks each file's SHA-256 against the manifest, then opens the sessions.
 * @throws Fault MODELS_MISSING when set-up has not run, MODEL_CORRUPT when a file is not what was compiled, and those
 * of loadRecogniser and loadPad for the packs.
 */
export async function loadModels(options: LoadModelsOptions): Promise<Models> {
  const manifest = await readManifest(options.modelsDir);
  const sessions: InferenceSession[] = [];
  const open = async <const S extends ModelSource>(
    source: S,
  ): Promise<ModelRunner<keyof S['outputs'] & string>> => {
    const session = await openSession(source.id, manifest, options);
    sessions.push(session);
    return runner(source, session);
  };
  const [main, ...kept] = options.packs ?? [readPack(DEFAULT_PACK, options.modelsDir)];
  if (!main) throw new Fault('PACK_MISSING', 'no recogniser pack is chosen');
  const loadPack = (pack: RecogniserPack) => loadRecogniser(pack, sessionOptions(options.threads));
  const recognisers: [Recogniser, ...Recogniser[]] = [await loadPack(main)];
  for (const pack of kept) recognisers.push(await loadPack(pack));
  const { padPack = DEFAULT_PAD_PACK, modelsDir, threads } = options;
  const pad =
    padPack === NO_PAD_PACK ? null : await loadPad(packFolder(padPack, modelsDir), sessionOptions(threads));
  return {
    faceDetector: await open(faceDetector),
    faceMesh: await open(faceMesh),
    expression: await open(expression),
    dlibMap: await open(dlibMap),
    recognisers,
    pad,
    files: [faceDetector, faceMesh, expression, dlibMap].map(({ id }) => {
      const { sha256 } = recordOf(id, manifest);
      return { id, sha256 };
    }),
    close: async () => {
      for (const session of sessions) await session.release();
      for (const recogniser of recognisers) await recogniser.close();
      await pad?.close();
    },
  };
}

/** Reads what set-up compiled. @throws Fault MODELS_MISSING */
export async function readManifest(modelsDir: string): Promise<ModelManifest> {
  try {
    return JSON.parse(await readFile(join(modelsDir, MANIFEST_FILE), 'utf8')) as ModelManifest;
  } catch (cause) {
    throw new Fault('MODELS_MISSING', modelsDir, { cause });
  }
}

function recordOf(id: string, { models }: ModelManifest): ModelRecord {
  const record = models.find((model) => model.id === id);
  if (!record) throw new Fault('MODELS_MISSING', id);
  return record;
}

async function openSession(
  id: string,
  manifest: ModelManifest,
  { modelsDir, threads }: LoadModelsOptions,
): Promise<InferenceSession> {
  const record = recordOf(id, manifest);
  let bytes: Buffer;
  try {
    bytes = await readFile(join(modelsDir, record.file));
  } catch (cause) {
    throw new Fault('MODELS_MISSING', record.file, { cause });
  }
  if (createHash('sha256').update(bytes).digest('hex') !== record.sha256)
    throw new Fault('MODEL_CORRUPT', record.file);
  // Opens the bytes that were hashed, not the path.
  return ort.InferenceSession.create(bytes, sessionOptions(threads));
}

/** Session options of every network. */
export function sessionOptions(threads: number): InferenceSession.SessionOptions {
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
  session: InferenceSession,
): ModelRunner<keyof S['outputs'] & string> {
  type Output = keyof S['outputs'] & string;
  const names = Object.keys(source.outputs) as Output[];
  const [channels, height, width] = source.input;
  return {
    id: source.id,
    input: source.input,
    async run(input, batch = 1) {
      const tensor = new ort.Tensor('float32', input, [batch, channels, height, width]);
      const results = await session.run({ input: tensor });
      const out = {} as Record<Output, Float32Array>;
      for (const name of names) out[name] = results[name]!.data as Float32Array;
      return out;
    },
  };
}
