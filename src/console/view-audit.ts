// Who viewed what: every read of the console writes an audit line before its data is returned. A page that refreshes
// every few seconds writes one line for what it keeps showing, and another for what is new.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ConsoleStore } from './tables/store.ts';

/** Data that is still being shown is audited again after this time. */
const AUDITED_FOR_MS = 10 * 60_000;
/** Most entries remembered; beyond that, some are audited again too early. */
const MAX_REMEMBERED = 20_000;

/** One view. It holds no personal data. */
export interface View {
  /** Stable code, such as `challenge.viewed`. */
  readonly action: string;
  readonly accountId?: string;
  /** Id of the one thing that was viewed. */
  readonly subject?: string;
}

/** A list that was read. The log gets the names of the filters that were set, never their values, and the ids shown. */
export interface ListView extends Pick<View, 'action'> {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly ids: readonly string[];
}

export interface ViewAudit {
  /** @param operator id of the session */
  note(operator: string, view: View): Promise<void>;
  noteList(operator: string, view: ListView): Promise<void>;
}

/** `nowMs`: a monotonic clock. */
export function createViewAudit(
  store: Pick<ConsoleStore, 'audit'>,
  nowMs: () => number = () => performance.now(),
): ViewAudit {
  const noted = new LRUCache<string, true>({
    max: MAX_REMEMBERED,
    ttl: AUDITED_FOR_MS,
    ttlResolution: 0,
    perf: { now: nowMs },
  });
  const isNew = (entry: string): boolean => !noted.has(entry);
  return {
    note: async (operator, { action, accountId = null, subject = null }) => {
      const entry = JSON.stringify([operator, action, subject]);
      if (!isNew(entry)) return;
      await store.audit({ actor: operator, action, accountId, subject });
      noted.set(entry, true);
    },
    noteList: async (operator, { action, filters, ids }) => {
      const entries = new Map(ids.map((id) => [JSON.stringify([operator, action, id]), id]));
      const fresh = [...entries].filter(([entry]) => isNew(entry));
      // A search that finds nothing is a view too, and each search is another.
      const search = JSON.stringify([operator, action, 'search', hashOf(filters)]);
      if (fresh.length === 0 && !isNew(search)) return;
      const detail = { filters: Object.keys(filters), shown: fresh.map(([, id]) => id) };
      await store.audit({ actor: operator, action, accountId: null, subject: null, detail });
      for (const [entry] of fresh) noted.set(entry, true);
      noted.set(search, true);
    },
  };
}

/** What is searched for may be personal, so it is not kept in clear in memory either. */
const hashOf = (filters: ListView['filters']): string =>
  createHash('sha256').update(JSON.stringify(filters)).digest('base64');
