// Templates kept between runs: which folder the command line accepts, and what is deleted from it.
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEmbeddingCache } from '../../src/lab/recognition/embedding-cache.ts';

const PACK = 'tiny-0123456789ab.r1';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('deletes the templates of every pack, and nothing else in the folder', async () => {
  await writeFile(join(folder, 'thesis.tex'), 'years of work');
  await mkdir(join(folder, 'pictures'));
  for (const pack of [PACK, 'other-one-0123456789ab.r1']) {
    const cache = await openEmbeddingCache(folder, pack);
    await cache.write('0'.repeat(64), { status: 'unusable', reason: 'face_missing' });
  }
  expect(await readdir(folder)).toHaveLength(4);
  await (await openEmbeddingCache(folder, PACK)).clear();
  expect((await readdir(folder)).sort()).toEqual(['pictures', 'thesis.tex']);
});

it('deletes the folder with the last of its templates', async () => {
  const own = join(folder, 'own');
  await (await openEmbeddingCache(own, PACK)).clear();
  expect(await readdir(folder)).toEqual([]);
});

it('closes its own folder to others, and leaves the permissions of the given one unchanged', async () => {
  await chmod(folder, 0o755);
  const before = await openEmbeddingCache(folder, PACK);
  await chmod(before.folder, 0o755);
  const { folder: own } = await openEmbeddingCache(folder, PACK);
  expect((await stat(folder)).mode & 0o777).toBe(0o755);
  expect((await stat(own)).mode & 0o777).toBe(0o700);
});
