// Retention of the audit log, which is partitioned by month: partitions of the coming months are created in time, and
// months past their retention are dropped whole. No line is ever deleted individually.
import { sql } from 'kysely';
import { takeTurn } from './coordination/one-at-a-time.ts';
import { unlessLocked } from './coordination/unless-locked.ts';
import type { Database, Trx } from './database.ts';

/** Tables exist a year before they are needed, so that a service whose tasks do not run for months can still write. */
const MONTHS_AHEAD = 12;
/** For lines of months that have no table. */
const OTHER = 'audit_other';

interface AuditMonth {
  readonly name: string;
}

/** Drops the months that ended more than `retentionDays` ago; resolves with the number of tables dropped or emptied. */
export async function keepAuditMonths(db: Database, retentionDays: number): Promise<number> {
  await unlessBeingRead(db, (trx) => sql`select add_audit_months(${MONTHS_AHEAD})`.execute(trx));
  const retention = sql`${retentionDays} * interval '1 day'`;
  const due = await sql<AuditMonth>`
    select name from audit_month where until <= now() - ${retention} order by until`.execute(db);
  let dropped = 0;
  for (const month of due.rows) {
    if (await unlessBeingRead(db, (trx) => dropMonth(trx, month))) dropped += 1;
  }
  const others = await sql<{ due: boolean }>`
    select max(at) < now() - ${retention} as due from ${sql.table(OTHER)}`.execute(db);
  if (others.rows[0]!.due && (await unlessBeingRead(db, emptyOther))) dropped += 1;
  return dropped;
}

/** False if another session reads the log for longer: writers would queue behind this. */
async function unlessBeingRead(db: Database, work: (trx: Trx) => Promise<unknown>): Promise<boolean> {
  const done = await unlessLocked(db, async (trx) => {
    await takeTurn(trx, 'audit months');
    await work(trx);
  });
  return done !== 'locked';
}

async function dropMonth(trx: Trx, { name }: AuditMonth): Promise<void> {
  // The parent table first, in the order in which readers and writers lock.
  await sql`lock table only audit in access exclusive mode`.execute(trx);
  const { rows } = await sql`select from audit_month where name = ${name}`.execute(trx);
  if (rows.length > 0) await sql`drop table ${sql.table(name)}`.execute(trx);
}

const emptyOther = (trx: Trx): Promise<unknown> => sql`truncate ${sql.table(OTHER)}`.execute(trx);
