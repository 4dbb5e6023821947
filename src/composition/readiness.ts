// /readyz: whether what requests need is available: the database for all of them, the asset store for videos and links,
// disk space for uploads. Workers are not checked: a capture waits for them.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AssetStore, StorageRoom } from '../challenge/ports.ts';
import type { Readiness } from '../http/services.ts';
import type { Database } from '../storage/postgres/database.ts';

/** A part that has not answered within this time is not ready; probes come every few seconds. */
const READY_WITHIN_MS = 3_000;

export function createReadiness(
  db: Database,
  store: Pick<AssetStore, 'check'>,
  room: Pick<StorageRoom, 'hasSpace'>,
): Readiness {
  const look = async () => {
    const [database, assets, space] = await Promise.all([
      isTrueInTime(takesChanges(db)),
      isTrueInTime(store.check().then(() => true)),
      isTrueInTime(room.hasSpace()),
    ]);
    return { ready: database && assets && space, parts: { database, assets, space } };
  };
  // Anybody may ask, as often as they like: requests in the meantime share the answer, so no queue for the database grows.
  let underWay: ReturnType<Readiness['check']> | null = null;
  return {
    check: () => {
      underWay ??= look().finally(() => {
        underWay = null;
      });
      return underWay;
    },
  };
}

/** Not ready once this process was told to end, whatever its parts answer: load balancers leave before it stops listening. */
export function readyUntilStop(readiness: Readiness, isStopping: () => boolean): Readiness {
  return {
    check: async () => (isStopping() ? { ready: false, parts: { running: false } } : readiness.check()),
  };
}

/** A standby answers, but takes nothing: every request writes at least who read. */
async function takesChanges(db: Database): Promise<boolean> {
  const { rows } = await sql<{ takes: boolean }>`
    select current_setting('transaction_read_only') = 'off' as takes`.execute(db);
  return rows[0]!.takes;
}

async function isTrueInTime(asked: Promise<boolean>): Promise<boolean> {
  const late = new AbortController();
  const answered = asked.catch(() => false);
  const timeout = delay(READY_WITHIN_MS, false, { signal: late.signal }).catch(() => false);
  return Promise.race([answered, timeout]).finally(() => late.abort());
}
