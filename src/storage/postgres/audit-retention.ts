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
  /** Null: no lower bound. */
  readonly since: Date | null;
}

/** Drops the months that ended more than `retentionDays` ago; resolves with the number of tables dropped or emptied. */
export async function keepAuditMonths(db: Database, retentionDays: number): Promise<number> {
  await unlessBeingRead(db, (trx) => sql`select add_audit_months(${MONTHS_AHEAD})`.execute(trx));
  const retention = sql`${retentionDays} * interval '1 day'`;
  const due = await sql<AuditMonth>`
    select name, since from audit_month where until <= now() - ${retention} order by until`.execute(db);
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

/** Drops a month and subtracts its lines from the figures. The figures count lines by month, so none has to be read. */
async function dropMonth(trx: Trx, { name, since }: AuditMonth): Promise<void> {
  // The parent table first, in the order in which readers and writers lock.
  await sql`lock table only audit in access exclusive mode`.execute(trx);
  const { rows } = await sql<{ until: Date }>`select until from audit_month where name = ${name}`.execute(
    trx,
  );
  if (!rows[0]) return;
  await sql`
    insert into figure_change (kind, at, name, n)
    select 'held', at, 'audit_lines', -sum(n) from figures
    where kind = 'held' and name = 'audit_lines' and at < ${rows[0].until}
      and at >= coalesce(${since}::timestamptz, '-infinity')
    group by at having sum(n) <> 0`.execute(trx);
  await sql`drop table ${sql.table(name)}`.execute(trx);
}

async function emptyOther(trx: Trx): Promise<void> {
  const other = sql.table(OTHER);
  await sql`lock table ${other} in access exclusive mode`.execute(trx);
  await sql`
    insert into figure_change (kind, at, name, n)
    select 'held', month_of(at), 'audit_lines', -count(*) from ${other} group by 2`.execute(trx);
  await sql`truncate ${other}`.execute(trx);
}
