// Keys of the service itself, by name: they seal what belongs to no account. Custody finds them under holders that no
// account has, and master keys wrap and re-wrap them like the accounts' keys.
import { randomBytes } from 'node:crypto';
import { KEY_BYTES, type MasterKeys } from './master-key-ring.ts';
import type { ServiceKeyStore } from './tables/wrapped-keys.ts';

/** Creates the key of this holder if there is none yet. If several processes do so at once, one wins. */
export async function ensureServiceKey(
  masterKeys: MasterKeys,
  store: ServiceKeyStore,
  holder: string,
): Promise<void> {
  if (await store.has(holder)) return;
  await store.insert(holder, await masterKeys.wrap(holder, randomBytes(KEY_BYTES)));
}
