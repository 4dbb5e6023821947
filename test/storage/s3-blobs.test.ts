import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { openBlobStore } from '../../src/storage/assets/open-blob-store.ts';
import { testBlobStore } from './blob-store-conformance.ts';

let folder: string;
let server: S3rver;
let endpoint: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-s3-'));
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // s3rver reckons the signature of a bucket's listing without the slash that the SDK rightly signs.
    allowMismatchedSignatures: true,
    directory: folder,
    configureBuckets: [{ name: 'videos' }],
  } as object);
  const address = (await server.run()) as AddressInfo;
  endpoint = `http://127.0.0.1:${address.port}`;
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await rm(folder, { recursive: true });
});

const open = (store: string) =>
  openBlobStore({ ASSET_STORE: store, S3_ENDPOINT: endpoint, dataDir: '/nonexistent' });

testBlobStore('on S3 with a prefix', () => open('s3://videos/au/assets'));

test('prefixes are apart from each other, and a bucket works without one', async () => {
  const id = newId('asset');
  await open('s3://videos/one/').write(id, Buffer.from('x'));
  expect(await open('s3://videos/two').read(id)).toBeUndefined();
  expect(await open('s3://videos').read(id)).toBeUndefined();
  await open('s3://videos').write(id, Buffer.from('y'));
  expect((await open('s3://videos').read(id))?.toString()).toBe('y');
});

test('a bucket that is not there is a fault with its code, not an absent asset', async () => {
  const blobs = open('s3://nowhere/x');
  await expect(blobs.read(newId('asset'))).rejects.toMatchObject({ code: 'ASSET_STORE_FAILED' });
  await expect(blobs.write(newId('asset'), Buffer.from('x'))).rejects.toMatchObject({
    code: 'ASSET_STORE_FAILED',
  });
});
