// What a process remembers about the API keys it has seen: one query a second for a busy client instead of one per
// request, none for a wrong key that is sent again, and which keys were valid before. Bounded, whatever is sent.
import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.ts';

/** A key revoked in another process goes on working for at most this long. */
const CONFIRMED_MS = 1_000;
/** Keys are random: one that did not exist a moment ago will not be created by chance. */
const WRONG_MS = 60_000;
/** Entries of each kind; about 200 bytes an entry. */
const MAX_KEPT = 10_000;

/**
 * `trusted`: it was in force when it was made or last looked up. `wrong`: it was not, less than a minute ago. `unknown`: it was
 * not looked up, or so long ago that it is forgotten.
 */
export type KeyStanding = 'trusted' | 'wrong' | 'unknown';

/** Owned by one Accounts service. Keyed by the hash of the key, which a caller cannot steer; never by its text. */
export interface RecentKeys {
  /** Its principal, if that was looked up within the last second. */
  find(hash: Buffer): Principal | undefined;
  standing(hash: Buffer): KeyStanding;
  /** Stores the result of a look-up. */
  keep(hash: Buffer, principal: Principal | null): void;
  /** These are in force, or were a while ago. */
  trust(hashes: readonly Buffer[]): void;
  /** After a revocation or rotation in this process, which takes effect at once. */
  forget(): void;
}

/** `nowMs`: a clock that only goes forward. */
export function createRecentKeys(nowMs: () => number = () => performance.now()): RecentKeys {
  const perf = { now: nowMs };
  const confirmed = new LRUCache<string, Principal>({
    max: MAX_KEPT,
    ttl: CONFIRMED_MS,
    ttlResolution: 0,
    perf,
  });
  const wrong = new LRUCache<string, true>({ max: MAX_KEPT, ttl: WRONG_MS, ttlResolution: 0, perf });
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
