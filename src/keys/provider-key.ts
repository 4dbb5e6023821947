// The OpenID Provider's own key: what belongs to no account is sealed under it. Custody knows it by a name among the
// accounts' ids, and master keys wrap and re-wrap it with theirs.
import { randomBytes } from 'node:crypto';
import { KEY_BYTES, type MasterKeys, type WrappedKey } from './master-key-ring.ts';

/** Holder of the provider's key, as {@link KeyHolder} takes it. No account has this id: theirs have a prefix. */
export const PROVIDER_HOLDER = 'oidc';

/** Makes the key where there is none yet; of several processes that do, one wins. */
export async function ensureProviderKey(
  masterKeys: MasterKeys,
  store: { insertProviderKey(key: WrappedKey): Promise<void>; hasProviderKey(): Promise<boolean> },
): Promise<void> {
  if (await store.hasProviderKey()) return;
  await store.insertProviderKey(await masterKeys.wrap(PROVIDER_HOLDER, randomBytes(KEY_BYTES)));
}
