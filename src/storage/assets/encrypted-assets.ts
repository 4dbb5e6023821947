// Assets (videos, frames, logos): each encrypted under a key of its own, which is sealed under a key of its challenge and
// kept in the asset's row. Destroying the challenge's key makes the bytes unreadable wherever copies of them may be.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Fault } from '../../base/errors.ts';
import { type ByteRange, collectBytes, type SizedBytes, sizedBytes } from '../../base/sized-bytes.ts';
import type { AssetStore, StoredAsset } from '../../challenge/ports.ts';
import type { AccountKeys } from '../../keys/account-keys.ts';
import type { BlobStore } from './blob-store.ts';
import { decryptFrames, encryptedRange, encryptFrames } from './framed-cipher.ts';

/** Key purpose of sealed asset keys; they are bound to their asset by its id. */
const PURPOSE = 'asset-key';

export function createEncryptedAssets(parts: { keys: AccountKeys; blobs: BlobStore }): AssetStore {
  const { keys, blobs } = parts;
  const open = async (asset: StoredAsset, range?: ByteRange) => {
    const { holder, assetId, sealedKey, sizeBytes } = asset;
    // The key first: without it nothing is opened that somebody would have to close.
    const key = await keys.open(holder, PURPOSE, sealedKey, assetId);
    const encrypted = await blobs.read(assetId, encryptedRange(sizeBytes, range));
    if (!encrypted) throw new Fault('ASSET_MISSING', assetId);
    const plaintext = Readable.from(decryptFrames(key, withStoreFaults(encrypted), sizeBytes, range), {
      objectMode: false,
    });
    // Also where nobody has begun to read it.
    return plaintext.once('close', () => encrypted.destroy());
  };
  return {
    put: async ({ holder, assetId, bytes }) => {
      const key = randomBytes(32);
      const sealedKey = await keys.seal(holder, PURPOSE, key, assetId);
      const plaintext = watched(sizedBytes(bytes));
      await blobs.write(assetId, encryptFrames(key, plaintext)).catch((error: unknown) => {
        // What the source of the bytes threw is its own affair, and no fault of the store.
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

/** The same bytes; remembers what broke them off. */
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

/** A store that breaks off in the middle is the same fault as one that does not begin. */
async function* withStoreFaults(encrypted: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* encrypted;
  } catch (error) {
    throw new Fault('ASSET_STORE_FAILED', (error as NodeJS.ErrnoException).code, { cause: error });
  }
}
