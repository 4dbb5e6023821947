// /readyz: whether the parts that requests need are available. All need the database, videos and links need the asset
// store, and uploads need disk space. Workers are not checked, because a capture waits for them.
import { setTimeout as delay } from 'node:timers/promises';
import type { AssetStore } from '../challenge/assets/encrypted-assets.ts';
import type { StorageRoom } from '../challenge/assets/storage-room.ts';
import type { Readiness } from '../http/services.ts';
import type { Database } from '../storage/postgres/database.ts';
import { acceptsWrites } from '../storage/postgres/server-settings.ts';

/** A part that does not answer within this time is not ready; probes come every few seconds. */
const READY_WITHIN_MS = 3_000;

export function createReadiness(
  db: Database,
  store: Pick<AssetStore, 'check'>,
  room: Pick<StorageRoom, 'hasSpace'>,
): Readiness {
  const look = async () => {
    const [database, assets, space] = await Promise.all([
      // Every request writes at least an audit row.
      isTrueInTime(acceptsWrites(db)),
      isTrueInTime(store.check().then(() => true)),
      isTrueInTime(room.hasSpace()),
    ]);
    return { ready: database && assets && space, parts: { database, assets, space } };
  };
  // Anyone may call this as often as they like. Concurrent requests share one answer, so they cannot fill the
  // database's queue.
  let inFlight: ReturnType<Readiness['check']> | null = null;
  return {
    check: () => {
      inFlight ??= look().finally(() => {
        inFlight = null;
      });
      return inFlight;
    },
  };
}

/**
 * Not ready once this process has been told to stop, whatever its parts answer, so that load balancers stop sending
 * requests before it stops listening.
 */
export function readyUntilStop(readiness: Readiness, isStopping: () => boolean): Readiness {
  return {
    check: async () => (isStopping() ? { ready: false, parts: { running: false } } : readiness.check()),
  };
}

async function isTrueInTime(asked: Promise<boolean>): Promise<boolean> {
  const late = new AbortController();
  const answered = asked.catch(() => false);
  const timeout = delay(READY_WITHIN_MS, false, { signal: late.signal }).catch(() => false);
  return Promise.race([answered, timeout]).finally(() => late.abort());
}
