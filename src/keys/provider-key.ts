// The OpenID Provider's own key: it seals what belongs to no account. Custody finds it under a reserved account id, and
// master keys wrap and re-wrap it like the accounts' keys.
import { randomBytes } from 'node:crypto';
import { KEY_BYTES, type MasterKeys, type WrappedKey } from './master-key-ring.ts';

/** The {@link KeyHolder} of the provider's key. No account has this id, because account ids have a prefix. */
export const PROVIDER_HOLDER = 'oidc';

/** Creates the key if there is none yet. If several processes do so at once, one wins. */
export async function ensureProviderKey(
  masterKeys: MasterKeys,
  store: { insertProviderKey(key: WrappedKey): Promise<void>; hasProviderKey(): Promise<boolean> },
): Promise<void> {
  if (await store.hasProviderKey()) return;
  await store.insertProviderKey(await masterKeys.wrap(PROVIDER_HOLDER, randomBytes(KEY_BYTES)));
}
