// The set-up step is deterministic and idempotent, and its files are checked before they are opened.
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILT_IN_MODELS } from '../../../src/compile-models/catalogue.ts';
import { type CompileProgress, compileModels } from '../../../src/compile-models/compile.ts';
import { loadModels } from '../../../src/models/load.ts';
import type { ModelManifest } from '../../../src/models/manifest.ts';
import { minifasnet } from '../../../src/models/minifasnet.ts';
import { readPack } from '../../../src/models/packs/read-pack.ts';
import type { ModelSource } from '../../../src/models/source.ts';
import { NODE_MODULES } from '../../support/published-networks.ts';

const MODEL_SOURCES: readonly ModelSource[] = BUILT_IN_MODELS.map(({ source }) => source);

let root: string;
let compiled: string;
const progress: CompileProgress[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'likeness-compile-'));
  compiled = join(root, 'build', 'models');
  await compileModels({
    nodeModulesDir: NODE_MODULES,
    outDir: compiled,
    onProgress: (step) => progress.push(step),
  });
});

afterAll(() => rm(root, { recursive: true }));

/** Paths of all files below a folder, sorted. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
}

async function copy(name: string): Promise<string> {
  const folder = join(root, name);
  await cp(compiled, folder, { recursive: true });
  return folder;
}

describe('compileModels', () => {
  test('writes every model and a manifest, and nothing else', async () => {
    const files = MODEL_SOURCES.map(({ id, pack }) => (pack ? `packs/${pack}/${id}.onnx` : `${id}.onnx`));
    const packs = [
      'packs/mobilefacenet/manifest.json',
      'packs/mobilefacenet/calibration.json',
      'packs/minifasnet/manifest.json',
    ];
    expect(await filesOf(compiled)).toEqual([...files, ...packs, 'manifest.json'].sort());
    const manifest = JSON.parse(await readFile(join(compiled, 'manifest.json'), 'utf8')) as ModelManifest;
    for (const record of manifest.models) {
      for (const fact of Object.values(record.provenance)) expect(fact).not.toBe('');
      expect(record.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(record.source.version).toMatch(/^\d+\.\d+\.\d+/);
    }
  });

  test('the built-in pack keeps its id, because another id would retire every existing FeatureID', () => {
    expect(readPack('mobilefacenet', compiled).id).toBe('mobilefacenet-fb45c4e4e55f');
  });

  test('reports its progress', () => {
    expect(progress.map(({ done }) => done)).toEqual([...MODEL_SOURCES.keys(), MODEL_SOURCES.length]);
  });

  test('does nothing when everything is up to date', async () => {
    const { mtimeMs } = await stat(join(compiled, 'manifest.json'));
    expect(await compileModels({ nodeModulesDir: NODE_MODULES, outDir: compiled })).toEqual([]);
    expect((await stat(join(compiled, 'manifest.json'))).mtimeMs).toBe(mtimeMs);
  });

  test('produces the same bytes every time', async () => {
    const again = join(root, 'again');
    await compileModels({ nodeModulesDir: NODE_MODULES, outDir: again });
    for (const file of await filesOf(compiled))
      expect((await readFile(join(again, file))).equals(await readFile(join(compiled, file))), file).toBe(
        true,
      );
  });

  test.each([
    ['a file is gone', (folder: string) => rm(join(folder, 'face-mesh.onnx'))],
    ['a file is cut short', (folder: string) => writeFile(join(folder, 'face-mesh.onnx'), 'x')],
    [
      'a pack’s calibration is another',
      (folder: string) => writeFile(join(folder, 'packs/mobilefacenet/calibration.json'), '{}'),
    ],
    ['the manifest is broken', (folder: string) => writeFile(join(folder, 'manifest.json'), '{')],
    [
      'an older compiler wrote it',
      (folder: string) => writeFile(join(folder, 'manifest.json'), '{"compiler":0}'),
    ],
  ])('compiles again when %s', async (name, damage) => {
    const folder = await copy(name.replaceAll(' ', '-'));
    await damage(folder);
    expect(await compileModels({ nodeModulesDir: NODE_MODULES, outDir: folder })).toHaveLength(
      MODEL_SOURCES.length,
    );
    await (await loadModels({ modelsDir: folder, threads: 1 })).close();
  });
});

test('docs/models.md describes every network as its manifest does', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/models.md'), 'utf8');
  const { models } = JSON.parse(await readFile(join(compiled, 'manifest.json'), 'utf8')) as ModelManifest;
  const rows = models.map(({ id, source, provenance }) => {
    const { task, codeLicence, weightsLicence, trainingData } = provenance;
    const file = `\`${source.weights}\` | ${source.bytes.toLocaleString('en')} | \`${source.sha256}\``;
    return `| \`${id}\` | ${task} | \`${source.package}\` | ${file} | ${codeLicence} | ${weightsLicence} | ${trainingData} |`;
  });
  const compiledHere = page.split('## Packs of others')[0]!;
  expect(compiledHere.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});

describe('weights that differ from the measured ones', () => {
  test('are not compiled', async () => {
    const nodeModulesDir = join(root, 'node_modules');
    for (const { package: name } of MODEL_SOURCES)
      await cp(join(NODE_MODULES, name, 'package.json'), join(nodeModulesDir, name, 'package.json'));
    for (const { package: name, description, weights } of MODEL_SOURCES)
      for (const file of [description, weights])
        if (file) await cp(join(NODE_MODULES, name, file), join(nodeModulesDir, name, file));
    const weights = join(nodeModulesDir, minifasnet.package, minifasnet.weights);
    const bytes = await readFile(weights);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(weights, bytes);
    const outDir = join(root, 'changed');
    await expect(compileModels({ nodeModulesDir, outDir })).rejects.toMatchObject({
      code: 'MODEL_SOURCE_CHANGED',
      message: expect.stringContaining('faceplugin-face-recognition-js/model/fr_liveness.onnx has SHA-256'),
    });
    await expect(loadModels({ modelsDir: outDir, threads: 1 })).rejects.toMatchObject({
      code: 'MODELS_MISSING',
    });
  });
});

describe('the PAD pack', () => {
  test('is loaded unless switched off, has its training data, and is refused when altered', async () => {
    const models = await loadModels({ modelsDir: compiled, threads: 1 });
    expect(models.pad?.manifest).toMatchObject({ name: 'minifasnet', training_data: 'not stated' });
    await models.close();
    const without = await loadModels({ modelsDir: compiled, threads: 1, padPack: 'none' });
    expect(without.pad).toBeNull();
    await without.close();
    const folder = await copy('altered-pad');
    await appendFile(join(folder, 'packs/minifasnet/minifasnet.onnx'), 'x');
    await expect(loadModels({ modelsDir: folder, threads: 1 })).rejects.toMatchObject({
      code: 'PACK_CORRUPT',
    });
    await expect(
      loadModels({ modelsDir: compiled, threads: 1, padPack: 'no-such-pack' }),
    ).rejects.toMatchObject({ code: 'PACK_MISSING' });
  });
});

describe('loadModels', () => {
  test('refuses an altered file', async () => {
    const folder = await copy('altered');
    const path = join(folder, 'face-mesh.onnx');
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
    await expect(loadModels({ modelsDir: folder, threads: 1 })).rejects.toMatchObject({
      code: 'MODEL_CORRUPT',
    });
  });

  test('says when the set-up has not run', async () => {
    await expect(loadModels({ modelsDir: join(root, 'nowhere'), threads: 1 })).rejects.toMatchObject({
      code: 'MODELS_MISSING',
    });
  });
});
