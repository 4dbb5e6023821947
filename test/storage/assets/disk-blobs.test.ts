import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { createDiskBlobs } from '../../../src/storage/assets/disk-blobs.ts';
import { testBlobStore } from './blob-store-conformance.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-blobs-'));
});
afterAll(() => rm(folder, { recursive: true }));
const root = () => join(folder, 'assets');

testBlobStore('on disk', () => createDiskBlobs(root()));

test('makes files readable only by their owner, and leaves nothing half-written', async () => {
  const id = newId('asset');
  await createDiskBlobs(root()).write(id, Buffer.from('x'));
  const shard = join(root(), id.slice(-2));
  expect((await stat(join(shard, id))).mode & 0o777).toBe(0o600);
  expect((await stat(shard)).mode & 0o777).toBe(0o700);
  expect((await readdir(shard)).filter((name) => name.includes(id))).toEqual([id]);
});

test('listing removes the remains of unfinished writes once they are old', async () => {
  const shard = join(root(), 'zz');
  await mkdir(shard, { recursive: true });
  const [old, fresh] = [join(shard, 'ast_0zz.0123.part'), join(shard, 'ast_1zz.0123.part')];
  for (const path of [old, fresh]) await writeFile(path, 'half');
  await utimes(old, new Date(0), new Date(0));
  for await (const id of createDiskBlobs(root()).listOlderThan(new Date(Date.now() - 60_000))) {
    expect(id).not.toContain('part');
  }
  // This folder may also contain an asset of another test.
  const parts = (await readdir(shard)).filter((name) => name.endsWith('.part'));
  expect(parts).toEqual(['ast_1zz.0123.part']);
});

test('reports a store that cannot be written with its code', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const blobs = createDiskBlobs(join(file, 'assets'));
  await expect(blobs.write(newId('asset'), Buffer.from('x'))).rejects.toMatchObject({
    code: 'ASSET_STORE_FAILED',
  });
});
