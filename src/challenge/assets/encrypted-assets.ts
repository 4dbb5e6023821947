// Assets (videos, frames, logos): each is encrypted under a key of its own, which is sealed under a key of its
// challenge and kept in the asset's row. Destroying the challenge's key makes every copy of the bytes unreadable.
// The caller's transaction writes the row after `put`; an asset without a row is an orphan, which the sweep deletes.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Fault } from '../../base/errors.ts';
import { type ByteRange, collectBytes, type SizedBytes, sizedBytes } from '../../base/sized-bytes.ts';
import type { AccountKeys, ErasableKey } from '../../keys/account-keys.ts';
import type { BlobStore } from '../../storage/assets/blob-store.ts';
import { decryptFrames, encryptedRange, encryptFrames } from './framed-cipher.ts';

/** Key purpose of sealed asset keys; they are bound to their asset by its id. */
const PURPOSE = 'asset-key';

/** Where an asset's bytes are and what opens them, from its row. */
interface StoredAsset {
  readonly holder: ErasableKey;
  readonly assetId: string;
  readonly sealedKey: Uint8Array;
  readonly sizeBytes: number;
}

interface AssetToStore {
  readonly holder: ErasableKey;
  readonly assetId: string;
  readonly bytes: Uint8Array | SizedBytes;
}

export type AssetStore = ReturnType<typeof createEncryptedAssets>;

export function createEncryptedAssets(parts: { keys: AccountKeys; blobs: BlobStore }) {
  const { keys, blobs } = parts;
  const open = async (asset: StoredAsset, range?: ByteRange): Promise<Readable> => {
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
    /**
     * Encrypts and stores durably (fsync or equivalent). Resolves with the asset's key, sealed under the holder's. If
     * reading the bytes throws, stores nothing and rejects with the same error.
     */
    put: async ({ holder, assetId, bytes }: AssetToStore): Promise<{ sealedKey: Buffer }> => {
      const key = randomBytes(32);
      const sealedKey = await keys.seal(holder, PURPOSE, key, assetId);
      const plaintext = watched(sizedBytes(bytes));
      await blobs.write(assetId, encryptFrames(key, plaintext)).catch((error: unknown) => {
        // An error thrown by the source of the bytes is not the store's fault.
        throw plaintext.fault ? plaintext.fault.cause : error;
      });
      return { sealedKey };
    },
    /**
     * Opens the bytes or a part of them. Each byte is authenticated before it is given out. Read the stream to its end
     * or destroy it.
     * @throws Fault ASSET_MISSING or ASSET_STORE_FAILED; reading may throw ASSET_STORE_FAILED or SEAL_BROKEN.
     */
    open,
    /** Reads all the bytes into memory. @throws as `open` and reading its stream do. */
    get: async (asset: StoredAsset): Promise<Buffer> => collectBytes(await open(asset)),
    /** Deletes the bytes; does nothing if there are none. */
    delete: (assetId: string): Promise<void> => blobs.remove(assetId),
    /** Ids of stored assets that were written before `before`, for the orphan sweep. */
    listOlderThan: (before: Date): AsyncIterable<string> => blobs.listOlderThan(before),
    /** Rejects if the store cannot be reached at present. */
    check: (): Promise<void> => blobs.check(),
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
