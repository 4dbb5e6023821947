// Exponential backoff by id: what failed and will not work a moment later is left alone for a while, ever longer.
import { LRUCache } from 'lru-cache';

/** Chosen, not measured: minutes, so that work continues soon after a repair; an hour where nobody repairs anything. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Past it the oldest are forgotten, and tried again too early. */
const MOST_REMEMBERED = 10_000;

export interface Backoff {
  /** Ids to be left alone now; not those that were forgotten. */
  pausing(): string[];
  /** Leaves it alone for a while, twice as long as the last time; true where it had not failed before. */
  failed(id: string): boolean;
  /** It worked: a later failure is a new one. */
  succeeded(id: string): void;
}

/** `nowMs`: a clock that only goes forward. */
export function createBackoff(nowMs: () => number = () => performance.now()): Backoff {
  const known = new LRUCache<string, { readonly pauseMs: number; readonly untilMs: number }>({
    max: MOST_REMEMBERED,
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
