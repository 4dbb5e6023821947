// API keys recognised a moment ago: one query a second for a busy client instead of one per request.
import type { Principal } from './accounts.ts';

/** A key revoked in another process goes on working for at most this long. */
const RECENT_MS = 1_000;
const MAX_KEPT = 10_000;

/** Owned by one Accounts service. Keyed by the hash of the key, which a caller cannot steer; never by its text. */
export interface RecentKeys {
  find(hash: Buffer): Principal | undefined;
  keep(hash: Buffer, principal: Principal): void;
  /** After a revocation or rotation in this process: it counts at once. */
  forget(): void;
}

/** `nowMs`: a clock that only goes forward. */
export function createRecentKeys(nowMs: () => number = () => performance.now()): RecentKeys {
  const kept = new Map<string, { principal: Principal; untilMs: number }>();
  return {
    find: (hash) => {
      const found = kept.get(hash.toString('base64'));
      return found && found.untilMs > nowMs() ? found.principal : undefined;
    },
    keep: (hash, principal) => {
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(hash.toString('base64'), { principal, untilMs: nowMs() + RECENT_MS });
    },
    forget: () => kept.clear(),
  };
}
