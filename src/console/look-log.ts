// Who looked at what: every reading of the console leaves an audit line before it is given out. A page that reads again
// every few seconds leaves one line for what it goes on showing, and one for what is new.
import { LRUCache } from 'lru-cache';
import type { ConsoleStore } from './store.ts';

/** What is still being shown is noted again after this time. */
const NOTED_FOR_MS = 10 * 60_000;
/** Entries remembered; beyond that, some are noted again too early. */
const MAX_REMEMBERED = 20_000;

/** One look: nothing in it is personal. */
export interface Look {
  /** Stable code, such as `challenge.viewed`. */
  readonly action: string;
  readonly accountId?: string;
  /** Id of the one thing that was looked at. */
  readonly subject?: string;
}

/** A list that was read: which of the filters were set, never what was searched for, and the ids that it showed. */
export interface ListLook extends Pick<Look, 'action'> {
  readonly filters: readonly string[];
  readonly ids: readonly string[];
}

export interface LookLog {
  /** @param operator id of the session */
  note(operator: string, look: Look): Promise<void>;
  noteList(operator: string, look: ListLook): Promise<void>;
}

/** `nowMs`: a clock that only goes forward. */
export function createLookLog(
  store: Pick<ConsoleStore, 'audit'>,
  nowMs: () => number = () => performance.now(),
): LookLog {
  const noted = new LRUCache<string, true>({
    ...{ max: MAX_REMEMBERED, ttl: NOTED_FOR_MS, ttlResolution: 0 },
    perf: { now: nowMs },
  });
  const isNew = (sight: string): boolean => !noted.has(sight);
  return {
    note: async (operator, { action, accountId = null, subject = null }) => {
      const sight = JSON.stringify([operator, action, subject]);
      if (!isNew(sight)) return;
      await store.audit({ actor: operator, action, accountId, subject });
      noted.set(sight, true);
    },
    noteList: async (operator, { action, filters, ids }) => {
      const sights = new Map(ids.map((id) => [JSON.stringify([operator, action, id]), id]));
      const fresh = [...sights].filter(([sight]) => isNew(sight));
      // A search that finds nothing is a look too.
      const search = JSON.stringify([operator, action, 'search', ...filters]);
      if (fresh.length === 0 && !isNew(search)) return;
      const detail = { filters, shown: fresh.map(([, id]) => id) };
      await store.audit({ actor: operator, action, accountId: null, subject: null, detail });
      for (const [sight] of fresh) noted.set(sight, true);
      noted.set(search, true);
    },
  };
}
