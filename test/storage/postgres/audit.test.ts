// The audit log on a real database: append-only, and deleted line by line when its retention is over.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { forgetAuditLines, writeAudit } from '../../../src/storage/postgres/audit.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { db } = database;
  await sql`alter table audit disable trigger user`.execute(db);
  await sql`delete from audit`.execute(db);
  await sql`alter table audit enable trigger user`.execute(db);
});

/** Lines of these ages in days. */
const addLines = (...agesDays: number[]) =>
  sql`insert into audit (at, actor, action)
    select now() - age * interval '1 day', 'operator', 'of ' || age from unnest(${agesDays}::int[]) as age`.execute(
    database.db,
  );
const left = async () =>
  (await database.db.selectFrom('audit').select('action').orderBy('at').execute()).map(
    ({ action }) => action,
  );

it('deletes lines past the retention, the oldest first, in batches', async () => {
  await addLines(401, 900, 399, 500, 0);
  expect(await forgetAuditLines(database.db, 400, 2)).toBe(2);
  expect(await left()).toEqual(['of 401', 'of 399', 'of 0']);
  expect(await forgetAuditLines(database.db, 400, 2)).toBe(1);
  expect(await forgetAuditLines(database.db, 400, 2)).toBe(0);
  expect(await left()).toEqual(['of 399', 'of 0']);
});

it('is append-only: nothing changes a line, and nothing deletes one of the last 400 days', async () => {
  const { db } = database;
  await writeAudit(db, { actor: 'operator', action: 'now', accountId: null, subject: null });
  await addLines(399, 401);
  for (const change of [
    sql`update audit set actor = 'x' where action = 'of 401'`,
    sql`delete from audit where action = 'now'`,
    sql`delete from audit where action = 'of 399'`,
    sql`truncate audit`,
  ])
    await expect(change.execute(db)).rejects.toThrow('append-only');
  await expect(forgetAuditLines(db, 300, 100)).rejects.toThrow('append-only');
  expect(await left()).toEqual(['of 401', 'of 399', 'now']);
});

it('lets several processes delete at once, each other lines', async () => {
  await addLines(...Array.from({ length: 50 }, (_, index) => 500 + index));
  const deleted = await Promise.all([1, 2, 3].map(() => forgetAuditLines(database.db, 400, 100)));
  expect(deleted.reduce((sum, count) => sum + count)).toBe(50);
});
