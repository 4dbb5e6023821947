// Assets (videos, frames, logos): each is encrypted under a key of its own, which is sealed under a key of its
// challenge and kept in the asset's row. Destroying the challenge's key makes every copy of the bytes unreadable.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Fault } from '../../base/errors.ts';
import { type ByteRange, collectBytes, type SizedBytes, sizedBytes } from '../../base/sized-bytes.ts';
import type { AccountKeys } from '../../keys/account-keys.ts';
import type { BlobStore } from '../../storage/assets/blob-store.ts';
import type { AssetStore, StoredAsset } from '../ports.ts';
import { decryptFrames, encryptedRange, encryptFrames } from './framed-cipher.ts';

/** Key purpose of sealed asset keys; they are bound to their asset by its id. */
const PURPOSE = 'asset-key';

export function createEncryptedAssets(parts: { keys: AccountKeys; blobs: BlobStore }): AssetStore {
  const { keys, blobs } = parts;
  const open = async (asset: StoredAsset, range?: ByteRange) => {
    const { holder, assetId, sealedKey, sizeBytes } = asset;
    // The key first: without it, no stream has been opened that would have to be closed.
    const key = await keys.open(holder, PURPOSE, sealedKey, assetId);
    const encrypted = await blobs.read(assetId, encryptedRange(sizeBytes, range));
    if (!encrypted) throw new Fault('ASSET_MISSING', assetId);
    const plaintext = Readable.from(decryptFrames(key, withStoreFaults(encrypted), sizeBytes, range), {
      objectMode: false,
    });
    // Also if nobody has started to read it.
    return plaintext.once('close', () => encrypted.destroy());
  };
  return {
    put: async ({ holder, assetId, bytes }) => {
      const key = randomBytes(32);
      const sealedKey = await keys.seal(holder, PURPOSE, key, assetId);
      const plaintext = watched(sizedBytes(bytes));
      await blobs.write(assetId, encryptFrames(key, plaintext)).catch((error: unknown) => {
        // An error thrown by the source of the bytes is not the store's fault.
        throw plaintext.fault ? plaintext.fault.cause : error;
      });
      return { sealedKey };
    },
    open,
    get: async (asset) => collectBytes(await open(asset)),
    delete: (assetId) => blobs.remove(assetId),
    listOlderThan: (before) => blobs.listOlderThan(before),
    check: () => blobs.check(),
  };
}

/** Passes the bytes through; remembers the source's error. */
function watched({ sizeBytes, chunks }: SizedBytes): SizedBytes & { fault?: { cause: unknown } } {
  const seen: SizedBytes & { fault?: { cause: unknown } } = { sizeBytes, chunks: pass() };
  async function* pass() {
    try {
      yield* chunks;
    } catch (cause) {
      seen.fault = { cause };
      throw cause;
    }
  }
  return seen;
}

/** Reports a read that fails halfway as the same fault as one that does not start. */
async function* withStoreFaults(encrypted: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* encrypted;
  } catch (error) {
    throw new Fault('ASSET_STORE_FAILED', (error as NodeJS.ErrnoException).code, { cause: error });
  }
}
