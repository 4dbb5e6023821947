import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { collectBytes } from '../../../src/base/sized-bytes.ts';
import { openBlobStore } from '../../../src/storage/assets/open-blob-store.ts';
import { createS3Blobs } from '../../../src/storage/assets/s3-blobs.ts';
import { type SignedS3, signatureFault, startSignedS3 } from '../../support/signed-s3.ts';
import { testBlobStore } from './blob-store-conformance.ts';

const CREDENTIALS = { id: 'S3RVER', secret: 'the secret of these tests' };

let folder: string;
let server: S3rver;
let signed: SignedS3;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-s3-'));
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // The server has one secret of its own, and computes a listing's signature wrongly, so signed-s3.ts verifies
    // instead.
    allowMismatchedSignatures: true,
    directory: folder,
    configureBuckets: [{ name: 'videos' }],
  } as object);
  const address = (await server.run()) as AddressInfo;
  signed = await startSignedS3(address.port, CREDENTIALS);
  vi.stubEnv('AWS_ACCESS_KEY_ID', CREDENTIALS.id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', CREDENTIALS.secret);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await signed.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const open = (store: string) =>
  openBlobStore({ ASSET_STORE: store, S3_ENDPOINT: signed.endpoint, dataDir: '/nonexistent' });

const read = async (store: string, id: string) => {
  const stored = await open(store).read(id);
  return stored && collectBytes(stored);
};

testBlobStore('on S3 with a prefix', () => open('s3://videos/au/assets'));

test('prefixes are separate, and a bucket works without one', async () => {
  const id = newId('asset');
  await open('s3://videos/one/').write(id, Buffer.from('x'));
  expect(await open('s3://videos/two').read(id)).toBeUndefined();
  expect(await open('s3://videos').read(id)).toBeUndefined();
  await open('s3://videos').write(id, Buffer.from('y'));
  expect((await read('s3://videos', id))?.toString()).toBe('y');
});

test('a missing bucket is an error with its code, not a missing asset', async () => {
  const blobs = open('s3://nowhere/x');
  await expect(blobs.read(newId('asset'))).rejects.toMatchObject({ code: 'ASSET_STORE_FAILED' });
  await expect(blobs.check()).rejects.toMatchObject({ code: 'ASSET_STORE_FAILED' });
  await expect(blobs.write(newId('asset'), Buffer.from('x'))).rejects.toMatchObject({
    code: 'ASSET_STORE_FAILED',
  });
});

test('a store that stops answering, before or during its response, causes an error and no endless wait', async () => {
  const silent = createServer((request, answer) => {
    request.resume();
    if (request.url?.includes('halfway')) answer.writeHead(200, { 'content-length': 10 }).write('half');
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const blobs = createS3Blobs({ bucket: 'videos', prefix: '', endpoint }, { silenceMs: 100 });
  const fault = { code: 'ASSET_STORE_FAILED' };
  try {
    await expect(blobs.read('asset')).rejects.toMatchObject(fault);
    await expect(blobs.write('asset', Buffer.from('x'))).rejects.toMatchObject(fault);
    await expect(blobs.remove('asset')).rejects.toMatchObject(fault);
    const halfway = (await blobs.read('halfway'))!;
    await expect(collectBytes(halfway)).rejects.toThrow();
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
}, 30_000);

describe('signatures', () => {
  /** The examples of AWS's documentation of the header-based S3 signature, with their published signatures. */
  const example = (
    query: string,
    names: string,
    signature: string,
    headers: Record<string, string> = {},
  ) => ({
    method: 'GET',
    path: query ? '/' : '/test.txt',
    query,
    body: Buffer.alloc(0),
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`,
      ...headers,
    },
  });
  const known = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
  const then = new Date('2013-05-24T00:00:00Z');

  test("the test's own verification accepts AWS's examples and refuses altered ones", () => {
    const object = example(
      '',
      'host;range;x-amz-content-sha256;x-amz-date',
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
      { range: 'bytes=0-9' },
    );
    const listing = example(
      'max-keys=2&prefix=J',
      'host;x-amz-content-sha256;x-amz-date',
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
    for (const request of [object, listing]) {
      expect(signatureFault(request, known, then)).toBeNull();
      expect(signatureFault({ ...request, path: '/other' }, known, then)).toBe('SignatureDoesNotMatch');
      const body = Buffer.from('x');
      expect(signatureFault({ ...request, body }, known, then)).toBe('XAmzContentSHA256Mismatch');
      expect(signatureFault(request, { ...known, secret: 'x' }, then)).toBe('SignatureDoesNotMatch');
      expect(signatureFault(request, known)).toBe('RequestTimeTooSkewed');
    }
  });

  test('every call of the adapter has a valid signature; with another secret every call is refused', async () => {
    const id = newId('asset');
    await open('s3://videos/signed').write(id, Buffer.from('x'));
    expect(signed.refused).toEqual([]);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another secret');
    try {
      const blobs = open('s3://videos/signed');
      const refused = {
        code: 'ASSET_STORE_FAILED',
        message: expect.stringContaining('SignatureDoesNotMatch'),
      };
      await expect(blobs.read(id)).rejects.toMatchObject(refused);
      await expect(blobs.write(id, Buffer.from('y'))).rejects.toMatchObject(refused);
      await expect(blobs.remove(id)).rejects.toMatchObject(refused);
      await expect(blobs.listOlderThan(new Date())[Symbol.asyncIterator]().next()).rejects.toMatchObject(
        refused,
      );
    } finally {
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', CREDENTIALS.secret);
    }
    expect(signed.refused.length).toBeGreaterThanOrEqual(4);
    expect((await read('s3://videos/signed', id))?.toString()).toBe('x');
  });
});
