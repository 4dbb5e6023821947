// Assets (videos, frames, logos): each encrypted under a key of its own, which is sealed under a key of its challenge and
// kept in the asset's row. Destroying the challenge's key makes the bytes unreadable wherever copies of them may be.
import { randomBytes } from 'node:crypto';
import { Fault } from '../../base/errors.ts';
import type { AssetStore } from '../../challenge/ports.ts';
import type { AccountKeys } from '../../keys/account-keys.ts';
import type { BlobStore } from './blob-store.ts';
import { decryptFrames, encryptFrames } from './framed-cipher.ts';

/** Key purpose of sealed asset keys; they are bound to their asset by its id. */
const PURPOSE = 'asset-key';

export function createEncryptedAssets(parts: { keys: AccountKeys; blobs: BlobStore }): AssetStore {
  const { keys, blobs } = parts;
  return {
    put: async ({ holder, assetId, bytes }) => {
      const key = randomBytes(32);
      const sealedKey = await keys.seal(holder, PURPOSE, key, assetId);
      await blobs.write(assetId, encryptFrames(key, bytes));
      return { sealedKey };
    },
    get: async ({ holder, assetId, sealedKey }) => {
      const [key, encrypted] = await Promise.all([
        keys.open(holder, PURPOSE, sealedKey, assetId),
        blobs.read(assetId),
      ]);
      if (!encrypted) throw new Fault('ASSET_MISSING', assetId);
      return decryptFrames(key, encrypted);
    },
    delete: (assetId) => blobs.remove(assetId),
    listOlderThan: (before) => blobs.listOlderThan(before),
    check: () => blobs.check(),
  };
}
