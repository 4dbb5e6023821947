import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { collectBytes, sizedBytes } from '../../../src/base/sized-bytes.ts';
import { createEncryptedAssets } from '../../../src/challenge/assets/encrypted-assets.ts';
import { decryptFrames, encryptedRange, encryptFrames } from '../../../src/challenge/assets/framed-cipher.ts';
import { createAccountKeys, type ErasableKey } from '../../../src/keys/account-keys.ts';
import { createMasterKeyRing, type WrappedKey } from '../../../src/keys/master-key-ring.ts';
import type { BlobStore } from '../../../src/storage/assets/blob-store.ts';
import { turnOneBit } from '../../support/tamper.ts';

const broken = expect.objectContaining({ code: 'SEAL_BROKEN' });
const FRAME = 65_536;

const encrypt = (key: Buffer, bytes: Buffer) => collectBytes(encryptFrames(key, sizedBytes(bytes)).chunks);
/** The bytes as a store returns them, in pieces that do not match the frames. */
const stored = (bytes: Uint8Array, piece = 10_007) =>
  (async function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  })();
const decrypt = (key: Buffer, encrypted: Uint8Array, sizeBytes: number) =>
  collectBytes(decryptFrames(key, stored(encrypted), sizeBytes));

describe('framed encryption', () => {
  const key = randomBytes(32);

  test.each([
    0,
    1,
    FRAME - 1,
    FRAME,
    FRAME + 1,
    3 * FRAME,
    1_000_000,
  ])('returns %i bytes unchanged', async (length) => {
    const bytes = randomBytes(length);
    const encrypted = await encrypt(key, bytes);
    expect(encrypted.length).toBe(1 + length + 16 * Math.max(1, Math.ceil(length / FRAME)));
    expect(encryptFrames(key, sizedBytes(bytes)).sizeBytes).toBe(encrypted.length);
    expect((await decrypt(key, encrypted, length)).equals(bytes)).toBe(true);
  });

  test('opens any part alone, from no more than the frames that contain it', async () => {
    const bytes = randomBytes(3 * FRAME + 100);
    const encrypted = await encrypt(key, bytes);
    const edges = [0, 1, FRAME - 1, FRAME, FRAME + 1, 2 * FRAME, 3 * FRAME, bytes.length - 1];
    const position = fc.oneof(fc.constantFrom(...edges), fc.nat(bytes.length - 1));
    const part = fc.tuple(position, position).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
    await fc.assert(
      fc.asyncProperty(part, async (range) => {
        const { from, to } = encryptedRange(bytes.length, range)!;
        const frames = Math.floor(range.to / FRAME) - Math.floor(range.from / FRAME) + 1;
        expect(to - from).toBeLessThanOrEqual(frames * (FRAME + 16));
        const opened = decryptFrames(key, stored(encrypted.subarray(from, to + 1)), bytes.length, range);
        expect((await collectBytes(opened)).equals(bytes.subarray(range.from, range.to + 1))).toBe(true);
      }),
    );
  });

  test('detects any flipped bit and any truncation, and outputs no byte before it is authenticated', async () => {
    const bytes = randomBytes(FRAME + 100);
    const encrypted = await encrypt(key, bytes);
    await fc.assert(
      fc.asyncProperty(turnOneBit(encrypted), fc.nat(encrypted.length - 1), async (changed, length) => {
        const out: Buffer[] = [];
        const reading = (async () => {
          for await (const part of decryptFrames(key, stored(changed), bytes.length)) out.push(part);
        })();
        await expect(reading).rejects.toThrow(broken);
        expect(Buffer.concat(out).equals(bytes.subarray(0, Buffer.concat(out).length))).toBe(true);
        await expect(decrypt(key, encrypted.subarray(0, length), bytes.length)).rejects.toThrow(broken);
      }),
    );
  });

  test('detects frames that were cut off, swapped, duplicated or added', async () => {
    const encrypted = await encrypt(key, randomBytes(3 * FRAME));
    const size = FRAME + 16;
    const frames = [0, 1, 2].map((index) => encrypted.subarray(1 + index * size, 1 + (index + 1) * size));
    const join = (...order: number[]) =>
      Buffer.concat([Buffer.of(1), ...order.map((index) => frames[index]!)]);
    expect(await decrypt(key, join(0, 1, 2), 3 * FRAME)).toHaveLength(3 * FRAME);
    for (const order of [[0, 1], [0], [2], [1, 0, 2], [0, 0, 2], [0, 1, 2, 2], [0, 2]]) {
      // Whatever length the asset's row names.
      for (const frameCount of [1, 2, 3, 4])
        await expect(decrypt(key, join(...order), frameCount * FRAME)).rejects.toThrow(broken);
    }
  });

  test('another key does not open it', async () => {
    const encrypted = await encrypt(key, Buffer.from('x'));
    await expect(decrypt(randomBytes(32), encrypted, 1)).rejects.toThrow(broken);
  });

  test.each([99, 101, FRAME + 100])('refuses bytes whose number is not the stated one (%i)', async (said) => {
    const chunks = sizedBytes(randomBytes(100)).chunks;
    await expect(collectBytes(encryptFrames(key, { sizeBytes: said, chunks }).chunks)).rejects.toMatchObject({
      code: 'INVARIANT',
    });
  });
});

describe('encrypted assets', () => {
  /** A store in memory. Its content is what an attacker on the disk sees. */
  function memoryBlobs(): BlobStore & { stored: Map<string, Buffer> } {
    const stored = new Map<string, Buffer>();
    return {
      stored,
      write: async (id, bytes) => {
        const all = await collectBytes(sizedBytes(bytes).chunks);
        stored.set(id, all);
      },
      read: async (id, range) => {
        const bytes = stored.get(id);
        return bytes && Readable.from([range ? bytes.subarray(range.from, range.to + 1) : bytes]);
      },
      remove: async (id) => void stored.delete(id),
      check: async () => {},
      readMark: async () => undefined,
      writeMark: async () => {},
      listOlderThan: async function* () {
        yield* stored.keys();
      },
    };
  }

  const holder = (accountId: string): ErasableKey => ({ accountId, erasureKey: randomBytes(32) });
  const [a, b] = [holder('a'), holder('b')];

  async function assets() {
    const masterKeys = createMasterKeyRing([randomBytes(32)]);
    const rows = new Map<string, WrappedKey>();
    for (const id of ['a', 'b']) rows.set(id, await masterKeys.wrap(id, randomBytes(32)));
    const store = { readWrappedKey: async (id: string) => rows.get(id) };
    const blobs = memoryBlobs();
    return { blobs, store: createEncryptedAssets({ keys: createAccountKeys({ masterKeys, store }), blobs }) };
  }

  test('are returned to their holder, and are ciphertext in the store', async () => {
    const { blobs, store } = await assets();
    const [assetId, bytes] = [newId('asset'), Buffer.from('a video, let us say '.repeat(10_000))];
    const { sealedKey } = await store.put({ holder: a, assetId, bytes });
    const asset = { holder: a, assetId, sealedKey, sizeBytes: bytes.length };
    expect((await store.get(asset)).equals(bytes)).toBe(true);
    const part = await store.open(asset, { from: 70_000, to: 70_099 });
    expect((await collectBytes(part)).equals(bytes.subarray(70_000, 70_100))).toBe(true);
    expect(blobs.stored.get(assetId)!.includes('a video')).toBe(false);
    await expect(store.get({ ...asset, holder: b })).rejects.toThrow(broken);
    const otherKey = { ...a, erasureKey: randomBytes(32) };
    await expect(store.get({ ...asset, holder: otherKey })).rejects.toThrow(broken);
  });

  test('do not open in place of another asset', async () => {
    const { blobs, store } = await assets();
    const [one, two] = [newId('asset'), newId('asset')];
    const put = async (assetId: string) => ({
      ...(await store.put({ holder: a, assetId, bytes: Buffer.from(assetId) })),
      sizeBytes: assetId.length,
    });
    const [first, second] = [await put(one), await put(two)];
    await expect(store.get({ holder: a, assetId: one, ...second })).rejects.toThrow(broken);
    blobs.stored.set(one, blobs.stored.get(two)!);
    await expect(store.get({ holder: a, assetId: one, ...first })).rejects.toThrow(broken);
  });

  test('are missing once deleted', async () => {
    const { store } = await assets();
    const assetId = newId('asset');
    const { sealedKey } = await store.put({ holder: a, assetId, bytes: Buffer.from('x') });
    await store.delete(assetId);
    await expect(store.get({ holder: a, assetId, sealedKey, sizeBytes: 1 })).rejects.toMatchObject({
      code: 'ASSET_MISSING',
    });
  });

  test('report an error of the source unchanged, and store nothing', async () => {
    const { blobs, store } = await assets();
    const chunks = async function* () {
      yield Buffer.from('x');
      throw new RangeError('the database is away');
    };
    const put = store.put({ holder: a, assetId: 'ast_1', bytes: { sizeBytes: 2, chunks: chunks() } });
    await expect(put).rejects.toThrow(new RangeError('the database is away'));
    expect(blobs.stored.size).toBe(0);
  });
});
