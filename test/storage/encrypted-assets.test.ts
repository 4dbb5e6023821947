import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { createAccountKeys, type ErasableKey } from '../../src/keys/account-keys.ts';
import { createMasterKeyRing, type WrappedKey } from '../../src/keys/master-key-ring.ts';
import type { BlobStore } from '../../src/storage/assets/blob-store.ts';
import { createEncryptedAssets } from '../../src/storage/assets/encrypted-assets.ts';
import { decryptFrames, encryptFrames } from '../../src/storage/assets/framed-cipher.ts';
import { turnOneBit } from '../support/arbitraries.ts';

const broken = expect.objectContaining({ code: 'SEAL_BROKEN' });
const FRAME = 65_536;

describe('framed encryption', () => {
  const key = randomBytes(32);

  test.each([0, 1, FRAME - 1, FRAME, FRAME + 1, 3 * FRAME, 1_000_000])('%i bytes come back', (length) => {
    const bytes = randomBytes(length);
    const encrypted = encryptFrames(key, bytes);
    expect(encrypted.length).toBe(1 + length + 16 * Math.max(1, Math.ceil(length / FRAME)));
    expect(decryptFrames(key, encrypted).equals(bytes)).toBe(true);
  });

  test('any turned bit and any cut is found', () => {
    const encrypted = encryptFrames(key, randomBytes(FRAME + 100));
    fc.assert(
      fc.property(turnOneBit(encrypted), fc.nat(encrypted.length - 1), (changed, length) => {
        expect(() => decryptFrames(key, changed)).toThrow(broken);
        expect(() => decryptFrames(key, encrypted.subarray(0, length))).toThrow(broken);
      }),
    );
  });

  test('frames cut off whole, swapped, doubled or added are found', () => {
    const encrypted = encryptFrames(key, randomBytes(3 * FRAME));
    const size = FRAME + 16;
    const frames = [0, 1, 2].map((index) => encrypted.subarray(1 + index * size, 1 + (index + 1) * size));
    const join = (...order: number[]) =>
      Buffer.concat([Buffer.of(1), ...order.map((index) => frames[index]!)]);
    expect(decryptFrames(key, join(0, 1, 2))).toHaveLength(3 * FRAME);
    for (const order of [[0, 1], [0], [2], [1, 0, 2], [0, 0, 2], [0, 1, 2, 2], [0, 2]]) {
      expect(() => decryptFrames(key, join(...order))).toThrow(broken);
    }
  });

  test('another key does not open it', () => {
    expect(() => decryptFrames(randomBytes(32), encryptFrames(key, Buffer.from('x')))).toThrow(broken);
  });
});

describe('encrypted assets', () => {
  /** A store in memory: what it is given is what an attacker on the disk sees. */
  function memoryBlobs(): BlobStore & { stored: Map<string, Buffer> } {
    const stored = new Map<string, Buffer>();
    return {
      stored,
      write: async (id, bytes) => void stored.set(id, Buffer.from(bytes)),
      read: async (id) => stored.get(id),
      remove: async (id) => void stored.delete(id),
      check: async () => {},
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

  test('come back to their holder, and lie in the store as ciphertext', async () => {
    const { blobs, store } = await assets();
    const [assetId, bytes] = [newId('asset'), Buffer.from('a video, let us say '.repeat(10_000))];
    const { sealedKey } = await store.put({ holder: a, assetId, bytes });
    expect((await store.get({ holder: a, assetId, sealedKey })).equals(bytes)).toBe(true);
    expect(blobs.stored.get(assetId)!.includes('a video')).toBe(false);
    await expect(store.get({ holder: b, assetId, sealedKey })).rejects.toThrow(broken);
    const otherKey = { ...a, erasureKey: randomBytes(32) };
    await expect(store.get({ holder: otherKey, assetId, sealedKey })).rejects.toThrow(broken);
  });

  test('exchanged for another asset they do not open', async () => {
    const { blobs, store } = await assets();
    const [one, two] = [newId('asset'), newId('asset')];
    const put = (assetId: string) => store.put({ holder: a, assetId, bytes: Buffer.from(assetId) });
    const [first, second] = [await put(one), await put(two)];
    await expect(store.get({ holder: a, assetId: one, ...second })).rejects.toThrow(broken);
    blobs.stored.set(one, blobs.stored.get(two)!);
    await expect(store.get({ holder: a, assetId: one, ...first })).rejects.toThrow(broken);
  });

  test('deleted they are missing', async () => {
    const { store } = await assets();
    const assetId = newId('asset');
    const { sealedKey } = await store.put({ holder: a, assetId, bytes: Buffer.from('x') });
    await store.delete(assetId);
    await expect(store.get({ holder: a, assetId, sealedKey })).rejects.toMatchObject({
      code: 'ASSET_MISSING',
    });
  });
});
