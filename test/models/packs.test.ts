// Recogniser packs: what a folder may declare, what is refused and with which code, and that ids depend on the content.
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fault } from '../../src/base/errors.ts';
import { loadRecogniser } from '../../src/models/packs/load-recogniser.ts';
import { packIdOf } from '../../src/models/packs/manifest.ts';
import { readPack } from '../../src/models/packs/read-pack.ts';
import {
  TINY_SIDE,
  TINY_SIZE,
  type TinyNetwork,
  tinyNetwork,
  tinySpec,
  tinyWeight,
  writeManifest,
  writeTinyPack,
} from './tiny-pack.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'likeness-packs-'));
});
afterAll(() => rm(root, { recursive: true }));

const open = (folder: string) => loadRecogniser(readPack(folder, root), {});
const place = (name: string) => join(root, 'own', name.replaceAll(' ', '-'));

async function faultOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Fault) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('a folder with a network and a manifest', () => {
  test.each<[string, TinyNetwork]>([
    ['planar', { layout: 'nchw' }],
    ['interleaved', { layout: 'nhwc' }],
    ['for one picture at a time', { batch: 1 }],
  ])('runs, %s', async (name, network) => {
    const folder = await writeTinyPack(
      place(name),
      network,
      network.layout ? { layout: network.layout } : {},
    );
    const recogniser = await open(folder);
    const picture = new Float32Array(2 * 3 * TINY_SIDE ** 2);
    // The first picture is 1 everywhere, the second 2.
    picture.fill(1).fill(2, picture.length / 2);
    const embeddings = await recogniser.networks[0]!.run(picture, 2);
    const expected = Array.from({ length: TINY_SIZE }, (_, i) =>
      [0, 1, 2].reduce((sum, c) => sum + tinyWeight(c, i), 0),
    );
    for (const [i, value] of [...expected, ...expected.map((each) => 2 * each)].entries())
      expect(embeddings[i]).toBeCloseTo(value, 4);
    await recogniser.close();
  });

  test('can have several outputs, of which the manifest names one', async () => {
    const folder = place('two outputs');
    await writeTinyPack(folder, { twoOutputs: true });
    expect(await faultOf(() => open(folder))).toMatch(/PACK_INVALID.*features, means/);
    await writeTinyPack(folder, { twoOutputs: true }, { output: 'features' });
    await (await open(folder)).close();
  });
});

describe('is refused with a code that says what is wrong', () => {
  test.each([
    ['no manifest', /PACK_MISSING.*no manifest.json/, (folder: string) => mkdir(folder, { recursive: true })],
    [
      'a manifest that is not JSON',
      /PACK_INVALID.*is not JSON/,
      async (folder: string) => {
        await writeTinyPack(folder);
        await writeFile(join(folder, 'manifest.json'), '{');
      },
    ],
    [
      'a field that is wrong',
      /PACK_INVALID.*channel_order/,
      (folder: string) => writeTinyPack(folder, {}, { channel_order: 'rbg' as 'rgb' }),
    ],
    [
      'a path outside the folder',
      /PACK_INVALID.*file/,
      (folder: string) => writeTinyPack(folder, {}, { file: '../tiny.onnx' }),
    ],
    [
      'a file that is missing',
      /PACK_MISSING.*other\.onnx/,
      (folder: string) => writeTinyPack(folder, {}, { file: 'other.onnx' }),
    ],
    [
      'a file that was altered',
      /PACK_CORRUPT.*tiny\.onnx/,
      async (folder: string) => {
        await writeTinyPack(folder);
        await appendFile(join(folder, 'tiny.onnx'), 'x');
      },
    ],
    [
      'a file that is not a network',
      /PACK_INVALID.*is not a network/,
      async (folder: string) => {
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'tiny.onnx'), 'no network');
        await writeManifest(folder, [tinySpec('tiny.onnx', Buffer.from('no network'))]);
      },
    ],
    [
      'an input size other than declared',
      /PACK_INVALID.*does not run/,
      (folder: string) => writeTinyPack(folder, {}, { input_size: 32 }),
    ],
    [
      'a layout other than declared',
      /PACK_INVALID.*does not run/,
      (folder: string) => writeTinyPack(folder, {}, { layout: 'nhwc' }),
    ],
    [
      'an embedding size other than declared',
      /PACK_INVALID.*gives 8 values, not 16/,
      (folder: string) => writeTinyPack(folder, {}, { embedding_size: 16 }),
    ],
    [
      'an embedding size other than declared, for one picture at a time',
      /PACK_INVALID.*gives 8 values, not 16/,
      (folder: string) => writeTinyPack(folder, { batch: 1 }, { embedding_size: 16 }),
    ],
    [
      'a smaller embedding than it has, for one picture at a time',
      /PACK_INVALID.*gives 8 values, not 9/,
      (folder: string) => writeTinyPack(folder, { batch: 1 }, { embedding_size: 9 }),
    ],
    ['a scale of zero', /PACK_INVALID.*scale/, (folder: string) => writeTinyPack(folder, {}, { scale: 0 })],
    [
      'a scale of zero for one channel',
      /PACK_INVALID.*scale/,
      (folder: string) => writeTinyPack(folder, {}, { scale: [1, 0, 1] }),
    ],
    [
      'a manifest that is a folder',
      /PACK_INVALID.*not a regular file/,
      (folder: string) => mkdir(join(folder, 'manifest.json'), { recursive: true }),
    ],
    [
      'a manifest that never ends',
      /PACK_INVALID.*not a regular file/,
      async (folder: string) => {
        await mkdir(folder, { recursive: true });
        await symlink('/dev/zero', join(folder, 'manifest.json'));
      },
    ],
    [
      'a manifest that links to itself',
      /PACK_INVALID.*cannot be read: ELOOP/,
      async (folder: string) => {
        await mkdir(folder, { recursive: true });
        await symlink('manifest.json', join(folder, 'manifest.json'));
      },
    ],
    [
      'a huge manifest',
      /PACK_INVALID.*too large/,
      async (folder: string) => {
        await writeTinyPack(folder);
        await truncate(join(folder, 'manifest.json'), 2 ** 33);
      },
    ],
    [
      'a pipe that nobody writes to',
      /PACK_INVALID.*tiny\.onnx is not a regular file/,
      async (folder: string) => {
        await writeTinyPack(folder);
        await rm(join(folder, 'tiny.onnx'));
        execFileSync('mkfifo', [join(folder, 'tiny.onnx')]);
      },
    ],
    [
      'a huge file',
      /PACK_INVALID.*tiny\.onnx is too large/,
      async (folder: string) => {
        await writeTinyPack(folder);
        await truncate(join(folder, 'tiny.onnx'), 2 ** 33);
      },
    ],
    [
      'an invalid calibration',
      /CALIBRATION_INVALID.*calibration\.json/,
      async (folder: string) => {
        await writeTinyPack(folder);
        await writeFile(join(folder, 'calibration.json'), '{"format": 2}');
      },
    ],
  ])('%s', async (name, message, write) => {
    const folder = place(name);
    await write(folder);
    expect(await faultOf(() => open(folder))).toMatch(message);
  });

  test('refuses an unknown built-in name', async () => {
    expect(await faultOf(() => readPack('arcface', root))).toMatch(/PACK_MISSING/);
  });

  test('has no calibration if there is no such file', async () => {
    expect(readPack(await writeTinyPack(place('uncalibrated')), root).calibration).toBeNull();
  });
});

describe('the id', () => {
  const bytes = tinyNetwork();
  const manifest = (change = {}, words = {}) => ({
    format: 1 as const,
    name: 'tiny',
    licence: 'none',
    networks: [tinySpec('tiny.onnx', bytes, change)],
    ...words,
  });
  const id = packIdOf(manifest());

  test.each([
    ['the file', { sha256: '0'.repeat(64) }],
    ['the mean', { mean: 1 }],
    ['the scale of one channel', { scale: [1, 1, 2] as [number, number, number] }],
    ['the channel order', { channel_order: 'bgr' }],
    ['mirroring', { flip: true }],
    ['a weight', { weight: 2 }],
  ])('changes with %s', (_, change) => {
    expect(packIdOf(manifest(change))).not.toBe(id);
  });

  test('stays the same when only descriptions change', () => {
    expect(packIdOf(manifest({}, { licence: 'another', description: 'more words' }))).toBe(id);
    expect(packIdOf(manifest({ mean: 0, file: 'renamed.onnx' }))).toBe(id);
  });
});
