// What a process remembers about the API keys that it has seen. It saves queries: a busy client costs one a second
// instead of one per request, and a repeated wrong key costs none. It also knows which keys were valid before. Its size
// is bounded, whatever is sent.
import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.ts';

/** A key revoked in another process keeps working for at most this long. */
const CONFIRMED_MS = 1_000;
/** Keys are random, so a key that did not exist a moment ago will not be created by chance. */
const WRONG_KEY_TTL_MS = 60_000;
/** Most entries of each kind; an entry takes about 200 bytes. */
const MAX_KEPT = 10_000;

/**
 * `trusted`: the key was in force when it was made or last looked up. `wrong`: a look-up less than a minute ago found
 * that it was not. `unknown`: it was not looked up, or so long ago that the result is forgotten.
 */
export type KeyStanding = 'trusted' | 'wrong' | 'unknown';

/** Owned by one Accounts service. Keyed by the hash of the key, which a caller cannot steer; never by its text. */
export interface RecentKeys {
  /** Its principal, if that was looked up within the last second. */
  find(hash: Buffer): Principal | undefined;
  standing(hash: Buffer): KeyStanding;
  /** Stores the result of a look-up. */
  keep(hash: Buffer, principal: Principal | null): void;
  /** Marks keys that are, or recently were, in force as trusted. */
  trust(hashes: readonly Buffer[]): void;
  /** Forgets all principals: makes a revocation or rotation in this process take effect at once. */
  forget(): void;
}

/** `nowMs`: a monotonic clock. */
export function createRecentKeys(nowMs: () => number = () => performance.now()): RecentKeys {
  const perf = { now: nowMs };
  const confirmed = new LRUCache<string, Principal>({
    max: MAX_KEPT,
    ttl: CONFIRMED_MS,
    ttlResolution: 0,
    perf,
  });
  const wrong = new LRUCache<string, true>({ max: MAX_KEPT, ttl: WRONG_KEY_TTL_MS, ttlResolution: 0, perf });
  const trusted = new LRUCache<string, true>({ max: MAX_KEPT });
  return {
    find: (hash) => confirmed.get(nameOf(hash)),
    standing: (hash) => {
      const name = nameOf(hash);
      if (trusted.get(name)) return 'trusted';
      return wrong.has(name) ? 'wrong' : 'unknown';
    },
    keep: (hash, principal) => {
      const name = nameOf(hash);
      if (principal) {
        confirmed.set(name, principal);
        trusted.set(name, true);
        wrong.delete(name);
      } else {
        confirmed.delete(name);
        trusted.delete(name);
        wrong.set(name, true);
      }
    },
    trust: (hashes) => {
      for (const hash of hashes) trusted.set(nameOf(hash), true);
    },
    forget: () => confirmed.clear(),
  };
}

const nameOf = (hash: Buffer): string => hash.toString('base64');
