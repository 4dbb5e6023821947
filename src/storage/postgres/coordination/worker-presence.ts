// Which workers of the job queue are alive (port: src/jobs/worker-presence.ts): session advisory locks on a connection
// of their own, released however the process dies.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from '../../../base/log.ts';
import type { Database } from '../database.ts';
import { LONG_LIVED, LongLivedClient } from '../long-lived-connection.ts';
import { LOCK_CLASSES } from './advisory-locks.ts';

const RECONNECT_MS = 500;
const NAME = 'likeness presence';
const LOCK_CLASS = LOCK_CLASSES.presence;

/** Of pg_locks `l` and pg_database `d`: whether it is the lock of a live worker of this database. */
const isPresence = sql`l.locktype = 'advisory' and l.granted and d.datname = current_database()
  and l.classid = ${sql.lit(LOCK_CLASS)}::integer::oid and l.objsubid = 2`;

/** A query for the number of live worker processes: each holds the locks of its workers in one session. */
export const countWorkerProcesses = () => sql<number>`
  select count(distinct l.pid)::int from pg_locks l join pg_database d on d.oid = l.database where ${isPresence}`;

/** Structurally the port of src/jobs, which this room does not import. */
export function createWorkerPresence(connectionString: string, db: Database, log: Logger) {
  const held = new Set<string>();
  /** Locks held on the current connection, because PostgreSQL counts how often a session takes a lock. */
  let taken = new Set<string>();
  let closed = false;
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;
  const ask = createAsking();
  // Shared: until the server notices, the session of a broken connection may hold the same lock, and must not be waited
  // for.
  const lock = async (on: pg.Client, workerId: string) => {
    if (taken.has(workerId)) return;
    taken.add(workerId);
    // Without its lock a worker counts as dead; on a new connection it may get the lock.
    await ask(on, 'select pg_advisory_lock_shared($1, hashtext($2))', workerId).catch((error: unknown) => {
      void on.end().catch(() => {});
      throw error;
    });
  };
  const connect = async (): Promise<void> => {
    const fresh = new LongLivedClient({ connectionString, application_name: NAME, ...LONG_LIVED });
    const lost = () => {
      if (client === fresh) client = null;
      fresh.removeAllListeners('end');
      ensureConnected(RECONNECT_MS);
    };
    fresh.on('error', () => {});
    await fresh.begin();
    fresh.once('end', lost);
    client = fresh;
    taken = new Set();
    for (const workerId of held) await lock(fresh, workerId);
  };
  const ensureConnected = (pauseMs: number): void => {
    if (closed || connecting) return;
    connecting = (async () => {
      if (pauseMs > 0) await delay(pauseMs);
      if (!closed && !client) await connect();
    })()
      .catch((error: unknown) => log.warn({ err: error }, 'the presence connection broke'))
      .finally(() => {
        connecting = null;
        if (!client && held.size > 0) ensureConnected(RECONNECT_MS);
      });
  };

  return {
    hold(workerId: string): void {
      held.add(workerId);
      if (client) lock(client, workerId).catch(() => {});
      else ensureConnected(0);
    },
    release(workerId: string): void {
      held.delete(workerId);
      if (!taken.delete(workerId)) return;
      if (client) ask(client, 'select pg_advisory_unlock_shared($1, hashtext($2))', workerId).catch(() => {});
    },
    async listMissing(): Promise<string[]> {
      const missing = await sql<{ worker_id: string }>`
        select worker_id from (
          select distinct locked_by as worker_id from graphile_worker.jobs where locked_by is not null
        ) busy
        where not exists (
          select 1 from pg_locks l join pg_database d on d.oid = l.database
          where ${isPresence}
            and l.objid = (hashtext(worker_id)::bigint & 4294967295)::oid
        )`.execute(db);
      return missing.rows.map((row) => row.worker_id);
    },
    async unlockJobsOf(workerIds: readonly string[]): Promise<void> {
      await sql`select graphile_worker.force_unlock_workers(${workerIds}::text[])`.execute(db);
    },
    async close(): Promise<void> {
      closed = true;
      held.clear();
      await connecting;
      await client?.end();
    },
  };
}

/** Queues statements here rather than in the driver: a connection runs one at a time. */
function createAsking() {
  let turn: Promise<unknown> = Promise.resolve();
  return (on: pg.Client, text: string, workerId: string): Promise<unknown> => {
    const asked = turn.then(() => on.query(text, [LOCK_CLASS, workerId]));
    turn = asked.catch(() => {});
    return asked;
  };
}
