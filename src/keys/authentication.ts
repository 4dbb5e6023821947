// Authentication: whose API key a request carries.
import { type ApiKeyText, hashApiKey } from './api-key.ts';
import type { Principal } from './principal.ts';
import type { KeyStanding, RecentKeys } from './recent-keys.ts';
import type { ApiKeyStore } from './tables/api-key-store.ts';

export interface Authentication {
  /** Loads recently used keys, so that they are trusted from the first request on. */
  recallKeysInUse(): Promise<void>;
  /** What this process knows about the key without querying the database. */
  recall(key: ApiKeyText): KeyStanding;
  /**
   * The principal whose key this is, or null. A key in use is looked up once a second, so after a revocation by another
   * process it works for at most one second more. A wrong key is looked up once a minute. The index compares SHA-256
   * hashes, which a caller cannot steer towards a stored one, so the lookup's timing tells nothing about a key.
   */
  authenticate(key: ApiKeyText): Promise<Principal | null>;
}

/** Keys used within this many days are trusted by a process that has just started. */
const RECENT_DAYS = 30;
const MAX_RECALLED = 10_000;

/** Makes the service. It queries the table only for what `recent` does not know. */
export function createAuthentication(
  apiKeys: Pick<ApiKeyStore, 'findInForce' | 'listUsedRecently'>,
  recent: RecentKeys,
): Authentication {
  return {
    recallKeysInUse: async () => recent.trust(await apiKeys.listUsedRecently(RECENT_DAYS, MAX_RECALLED)),
    recall: (key) => recent.standing(hashApiKey(key)),
    authenticate: async (key) => {
      const hash = hashApiKey(key);
      const known = recent.find(hash);
      if (known) return known;
      if (recent.standing(hash) === 'wrong') return null;
      const found = await apiKeys.findInForce(hash);
      const principal =
        found?.sandbox === key.sandbox
          ? { accountId: found.accountId, keyId: found.id, sandbox: found.sandbox }
          : null;
      recent.keep(hash, principal);
      return principal;
    },
  };
}
