// Work that only one process of a deployment does at a time.
import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';
import { LOCK_CLASSES } from './advisory-locks.ts';

/**
 * The last entry of this process's queue for each name. Waiting here holds no connection, because the work may need it.
 */
const queues = new WeakMap<Database, Map<string, Promise<unknown>>>();

/**
 * Does the work while holding the database's lock of this name, which is released however the process ends. It holds one
 * connection of the pool for each name, however many callers wait.
 */
export function oneAtATime<T>(db: Database, name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(db) ?? new Map<string, Promise<unknown>>();
  queues.set(db, queue);
  const done = (queue.get(name) ?? Promise.resolve()).then(() =>
    db.transaction().execute(async (trx) => {
      await takeTurn(trx, name);
      return work();
    }),
  );
  queue.set(
    name,
    done.catch(() => {}),
  );
  return done;
}

/** Waits for the database's lock of this name and holds it to the end of the transaction. */
export async function takeTurn(trx: Trx, name: string): Promise<void> {
  // Without parameters: a statement with them leaves a portal open, whose snapshot would block VACUUM for
  // as long as the lock is held.
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_CLASSES.turns)}, hashtext(${sql.lit(name)}))`.execute(
    trx,
  );
}
