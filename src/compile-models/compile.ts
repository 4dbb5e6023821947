// Set-up step: weights inside npm packages → ONNX files and manifest.json. Called by `npm start` once.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../base/errors.ts';
import { COMPILER_VERSION, MANIFEST_FILE, type ModelManifest, type ModelRecord } from '../models/manifest.ts';
import { PACKS_FOLDER } from '../models/packs/read-pack.ts';
import type { BuiltInModel } from './built-in-models.ts';
import { BUILT_IN_PACKS } from './built-in-packs.ts';
import { BUILT_IN_MODELS } from './catalogue.ts';
import { packFiles } from './pack-files.ts';

export interface CompileOptions {
  /** A node_modules folder that holds the source packages. */
  readonly nodeModulesDir: string;
  /** Where the compiled files go, e.g. build/models under the package root. */
  readonly outDir: string;
  /** Called before each model and once at the end (`done === total`). */
  readonly onProgress?: (progress: CompileProgress) => void;
}

export interface CompileProgress {
  readonly model: string;
  readonly done: number;
  readonly total: number;
}

/**
 * Compiles every model of the catalogue, unless the manifest in `outDir` already matches this compiler, these package
 * versions and files of the recorded sizes (their hashes are checked when they are loaded). Files are put in place by
 * rename, the manifest last, so that a crash leaves the former state or a stale one, never a partial one.
 * @returns ids of what was compiled; empty if everything was current.
 * @throws Fault MODEL_SOURCE_CHANGED if weights are not those that were measured; the file system's error if a source
 * package is absent.
 */
export async function compileModels(options: CompileOptions): Promise<readonly string[]> {
  const { nodeModulesDir, outDir, onProgress } = options;
  const versions = await sourceVersions(nodeModulesDir);
  if (await isCurrent(outDir, versions)) return [];
  const records: ModelRecord[] = [];
  const total = BUILT_IN_MODELS.length;
  for (const [done, model] of BUILT_IN_MODELS.entries()) {
    onProgress?.({ model: model.source.id, done, total });
    records.push(await compileModel(model, versions.get(model.source.package)!, nodeModulesDir, outDir));
  }
  for (const pack of BUILT_IN_PACKS) {
    for (const { file, bytes } of await packFiles(pack, records))
      await writeAtomically(join(outDir, file), bytes);
  }
  const manifest: ModelManifest = { compiler: COMPILER_VERSION, models: records };
  await writeAtomically(join(outDir, MANIFEST_FILE), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  onProgress?.({ model: '', done: total, total });
  return records.map((record) => record.id);
}

async function compileModel(
  { source, build }: BuiltInModel,
  version: string,
  nodeModulesDir: string,
  outDir: string,
): Promise<ModelRecord> {
  // By path: the packages' `exports` hide these files from import and require.
  const folder = join(nodeModulesDir, source.package);
  const description = source.description ? await readFile(join(folder, source.description), 'utf8') : '';
  const weights = await readFile(join(folder, source.weights));
  const found = sha256(weights);
  if (found !== source.sha256)
    throw new Fault(
      'MODEL_SOURCE_CHANGED',
      `${join(source.package, source.weights)} has SHA-256 ${found}, not ${source.sha256}`,
    );
  const bytes = build(description, weights);
  const file = source.pack ? join(PACKS_FOLDER, source.pack, `${source.id}.onnx`) : `${source.id}.onnx`;
  await writeAtomically(join(outDir, file), bytes);
  return {
    id: source.id,
    file,
    bytes: bytes.length,
    sha256: sha256(bytes),
    source: {
      package: source.package,
      version,
      weights: source.weights,
      bytes: weights.length,
      sha256: source.sha256,
    },
    provenance: source.provenance,
    input: source.input,
    outputs: source.outputs,
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function sourceVersions(nodeModulesDir: string): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (const { source } of BUILT_IN_MODELS) {
    const { package: name } = source;
    const text = await readFile(join(nodeModulesDir, name, 'package.json'), 'utf8');
    versions.set(name, (JSON.parse(text) as { version: string }).version);
  }
  return versions;
}

async function isCurrent(outDir: string, versions: ReadonlyMap<string, string>): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(outDir, MANIFEST_FILE), 'utf8')) as ModelManifest;
    if (manifest.compiler !== COMPILER_VERSION || manifest.models.length !== BUILT_IN_MODELS.length)
      return false;
    for (const [i, { source }] of BUILT_IN_MODELS.entries()) {
      const record = manifest.models[i]!;
      if (record.id !== source.id || record.source.version !== versions.get(source.package)) return false;
      if ((await stat(join(outDir, record.file))).size !== record.bytes) return false;
    }
    for (const pack of BUILT_IN_PACKS) {
      for (const { file, bytes } of await packFiles(pack, manifest.models))
        if (!bytes.equals(await readFile(join(outDir, file)))) return false;
    }
    return true;
  } catch {
    // No manifest, invalid JSON, or a missing file: compile again.
    return false;
  }
}

async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, bytes);
  await rename(temporary, path);
}
