// Exponential backoff per id: an id that failed is skipped for a pause that doubles with each failure.
import { LRUCache } from 'lru-cache';

/** Chosen, not measured: a minute, so that work resumes soon after a repair; an hour if nobody repairs anything. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Beyond this number, the ids that failed longest ago are forgotten and retried too early. */
const MAX_REMEMBERED = 10_000;

export interface Backoff {
  /** Ids to skip now, except those that were forgotten. */
  pausing(): string[];
  /** Starts a pause for the id, twice as long as its last one; returns true if it had not failed before. */
  failed(id: string): boolean;
  /** Resets the id: its next failure counts as the first. */
  succeeded(id: string): void;
}

/** `nowMs` is a monotonic clock, in milliseconds. */
export function createBackoff(nowMs: () => number = () => performance.now()): Backoff {
  const known = new LRUCache<string, { readonly pauseMs: number; readonly untilMs: number }>({
    max: MAX_REMEMBERED,
  });
  return {
    pausing: () => [...known].flatMap(([id, { untilMs }]) => (untilMs > nowMs() ? [id] : [])),
    failed: (id) => {
      const before = known.get(id);
      const pauseMs = before ? Math.min(2 * before.pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
      known.set(id, { pauseMs, untilMs: nowMs() + pauseMs });
      return before === undefined;
    },
    succeeded: (id) => void known.delete(id),
  };
}
