// Things that could not be done and will not work a moment later: each is left alone for a while, ever longer.
import { LRUCache } from 'lru-cache';

/** Chosen, not measured: minutes, so that what was mended goes on soon; an hour for what nobody mends. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Past it the oldest are forgotten, and tried again too early. */
const MOST_REMEMBERED = 10_000;

export interface PutOff {
  /** Ids to be left alone now. */
  waiting(): string[];
  /** Leaves it alone for a while, twice as long as the last time; true where it had not failed before. */
  add(id: string): boolean;
  /** It worked: a later failure is a new one. */
  remove(id: string): void;
}

/** `nowMs`: a clock that only goes forward. */
export function createPutOff(nowMs: () => number = () => performance.now()): PutOff {
  const known = new LRUCache<string, { readonly pauseMs: number; readonly untilMs: number }>({
    max: MOST_REMEMBERED,
  });
  return {
    waiting: () => [...known].flatMap(([id, { untilMs }]) => (untilMs > nowMs() ? [id] : [])),
    add: (id) => {
      const before = known.get(id);
      const pauseMs = before ? Math.min(2 * before.pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
      known.set(id, { pauseMs, untilMs: nowMs() + pauseMs });
      return before === undefined;
    },
    remove: (id) => void known.delete(id),
  };
}
