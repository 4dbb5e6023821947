// Removes the previous versions of wrapped keys from the disk after a rotation. PostgreSQL updates a row by writing a
// new one, so anyone with the old master key and the files could open what the new one protects. The tables are small,
// and are rewritten.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { unlessLocked } from '../../storage/postgres/coordination/unless-locked.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { dropOldLog, type LogDropped } from './write-ahead-log.ts';

const TABLES = ['account', 'receipt_key', 'service_key'] as const;

/**
 * Attempts on a table that other sessions read, or whose previous rows an old transaction can see. Some five seconds.
 */
const MAX_TRIES = 25;
const PAUSE_MS = 200;

/**
 * `inUse`: an old transaction, such as a dump, can still see the old rows; try again later. The other values are those
 * of {@link LogDropped}.
 */
export type OldWraps = LogDropped | 'inUse';

/** Rewrites the tables of wrapped keys and drops the WAL from before. Call it after the rotation is committed. */
export async function dropOldWraps(db: Database): Promise<OldWraps> {
  const { rows } = await sql<{ now: string }>`select pg_current_xact_id()::xid::text as now`.execute(db);
  for (const table of TABLES) {
    if (!(await rewriteWithRetries(db, table, rows[0]!.now))) return 'inUse';
  }
  return dropOldLog(db);
}

async function rewriteWithRetries(
  db: Database,
  table: (typeof TABLES)[number],
  since: string,
): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (!(await areOldRowsVisible(db, since)) && (await rewriteTable(db, table))) return true;
    await delay(PAUSE_MS);
  }
  return false;
}

/**
 * Whether a transaction sees rows as they were before this one, so that they would be copied. Seeing sessions of other
 * users takes the rights of pg_monitor, which dropping the WAL requires as well.
 */
async function areOldRowsVisible(db: Database, since: string): Promise<boolean> {
  const { rows } = await sql<{ is_seen: boolean }>`
    select exists (select from pg_stat_activity
        where pid <> pg_backend_pid() and (datname = current_database() or datname is null)
          and age(backend_xmin) > age(${since}::text::xid))
      or exists (select from pg_replication_slots where age(xmin) > age(${since}::text::xid))
      or exists (select from pg_prepared_xacts
        where database = current_database() and age(transaction) > age(${since}::text::xid)) as is_seen`.execute(
    db,
  );
  return rows[0]!.is_seen;
}

/**
 * Rewrites by CLUSTER, which unlike TRUNCATE and a copy leaves older transactions their rows, and unlike VACUUM FULL
 * can have a time limit.
 */
async function rewriteTable(db: Database, table: (typeof TABLES)[number]): Promise<boolean> {
  const written = await unlessLocked(db, async (trx) => {
    await sql`cluster ${sql.table(table)} using ${sql.id(`${table}_pkey`)}`.execute(trx);
    await sql`alter table ${sql.table(table)} set without cluster`.execute(trx);
  });
  return written !== 'locked';
}
