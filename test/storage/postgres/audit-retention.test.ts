import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeAudit } from '../../../src/storage/postgres/audit.ts';
import { keepAuditMonths } from '../../../src/storage/postgres/audit-retention.ts';
import { createConsoleStore } from '../../../src/storage/postgres/console/store.ts';
import type { Database } from '../../../src/storage/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const RETENTION_DAYS = 400;

/** The partition of a past month, as it was created at that time. */
async function addMonth(db: Database, monthsAgo: number): Promise<string> {
  const { rows } = await sql<{ name: string; since: string; until: string }>`
    select 'audit_' || to_char(month_of(now(), ${-monthsAgo}) at time zone 'UTC', 'YYYY_MM') as name,
      month_of(now(), ${-monthsAgo})::text as since, month_of(now(), ${1 - monthsAgo})::text as until`.execute(
    db,
  );
  const { name, since, until } = rows[0]!;
  await sql`create table ${sql.table(name)} (like audit including defaults)`.execute(db);
  await sql`alter table audit attach partition ${sql.table(name)} for values from (${sql.lit(since)}) to (${sql.lit(until)})`.execute(
    db,
  );
  return name;
}

/** Rows on the last day of a month. */
const addLines = (db: Database, n: number, monthsAgo: number) =>
  sql`insert into audit (at, actor, action) select month_of(now(), ${1 - monthsAgo}) - interval '1 hour', 'a', 'b'
    from generate_series(1, ${n})`.execute(db);

async function countLines(db: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit`.execute(db);
  return rows[0]!.n;
}

async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from audit_month order by name`.execute(db);
  return rows.map(({ name }) => name);
}

describe('the audit log', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    return () => database.drop();
  });

  it('drops a month when the last of its rows is past the retention', async () => {
    const { db } = database;
    const old = await addMonth(db, 16);
    const young = await addMonth(db, 5);
    await addLines(db, 7, 16);
    await addLines(db, 3, 5);
    await writeAudit(db, { actor: 'operator', action: 'now', accountId: null, subject: null });
    expect(await countLines(db)).toBe(11);

    expect(await keepAuditMonths(db, RETENTION_DAYS)).toBe(1);
    expect(await tablesOf(db)).not.toContain(old);
    expect(await tablesOf(db)).toContain(young);
    expect(await countLines(db)).toBe(4);
    expect(await keepAuditMonths(db, RETENTION_DAYS)).toBe(0);
    // A shorter setting applies to existing months. The current month is never dropped.
    expect(await keepAuditMonths(db, 30)).toBe(1);
    expect(await countLines(db)).toBe(1);
  });

  it('is append-only, as a whole and in each partition', async () => {
    const { db } = database;
    await writeAudit(db, { actor: 'operator', action: 'now', accountId: null, subject: null });
    const { rows } = await sql<{ name: string }>`select tableoid::regclass::text as name from audit`.execute(
      db,
    );
    for (const name of ['audit', rows[0]!.name]) {
      const table = sql.table(name);
      for (const change of [
        sql`update ${table} set actor = 'x'`,
        sql`delete from ${table}`,
        sql`truncate ${table}`,
      ])
        await expect(change.execute(db)).rejects.toThrow('append-only');
    }
  });

  it('is one list for the console, newest first, paged across its months', async () => {
    const { db } = database;
    for (const ago of [3, 2, 1]) {
      await addMonth(db, ago);
      await addLines(db, 4, ago);
    }
    const { listAudit } = createConsoleStore(db);
    const seen: number[] = [];
    for (let before: string | null = null; ; ) {
      const page = await listAudit(before, 5);
      seen.push(...page.map(({ id }) => Number(id)));
      if (page.length < 5) break;
      before = page.at(-1)!.id;
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => 12 - index));
  });

  it('leaves a month to the next run while somebody reads the log, and writing continues', async () => {
    const { db } = database;
    await addMonth(db, 16);
    await addLines(db, 2, 16);
    await db.transaction().execute(async (reading) => {
      await sql`select count(*) from audit`.execute(reading);
      const kept = keepAuditMonths(db, RETENTION_DAYS);
      await writeAudit(db, { actor: 'operator', action: 'beside', accountId: null, subject: null });
      expect(await kept).toBe(0);
    });
    expect(await keepAuditMonths(db, RETENTION_DAYS)).toBe(1);
    expect(await countLines(db)).toBe(1);
  });

  it('has partitions for a year, creates missing ones, and accepts rows of any other time', async () => {
    const { db } = database;
    const before = await tablesOf(db);
    expect(before).toHaveLength(14);
    const last = before.filter((name) => name !== 'audit_other').at(-1)!;
    await sql`drop table ${sql.table(last)}`.execute(db);
    await keepAuditMonths(db, RETENTION_DAYS);
    expect(await tablesOf(db)).toEqual(before);
    // Rows of a clock that was wrong for a while.
    await sql`insert into audit (at, actor, action) values ('1970-01-05', 'a', 'b'), (now() + interval '3 years', 'a', 'b')`.execute(
      db,
    );
    expect(await keepAuditMonths(db, RETENTION_DAYS)).toBe(0);
    expect(await countLines(db)).toBe(2);
  });

  it('deletes rows outside the months when the newest of them is past the retention', async () => {
    const { db } = database;
    await sql`insert into audit (at, actor, action) select now() - interval '401 days' * n, 'a', 'b'
      from generate_series(1, 3) n`.execute(db);
    expect(await countLines(db)).toBe(3);
    expect(await keepAuditMonths(db, RETENTION_DAYS)).toBe(1);
    expect(await countLines(db)).toBe(0);
  });
});
