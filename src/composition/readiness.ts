// /readyz: whether what requests need answers just now: the database for all of them, the asset store for videos and
// links. Workers are not asked: a capture waits for them.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AssetStore } from '../challenge/ports.ts';
import type { Readiness } from '../http/services.ts';
import type { Database } from '../storage/postgres/database.ts';

/** A part that has not answered by then is not ready; probes come every few seconds. */
const READY_WITHIN_MS = 3_000;

export function createReadiness(db: Database, store: Pick<AssetStore, 'check'>): Readiness {
  return {
    check: async () => {
      const [database, assets] = await Promise.all([
        answersInTime(sql`select 1`.execute(db)),
        answersInTime(store.check()),
      ]);
      return { ready: database && assets, parts: { database, assets } };
    },
  };
}

async function answersInTime(work: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const answered = work.then(
    () => true,
    () => false,
  );
  const timeout = delay(READY_WITHIN_MS, false, { signal: late.signal }).catch(() => false);
  return Promise.race([answered, timeout]).finally(() => late.abort());
}
