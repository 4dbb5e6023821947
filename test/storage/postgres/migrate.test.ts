import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrateDatabase } from '../../../src/storage/postgres/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a migrated database has our tables and the job queue', async () => {
  expect(await database.db.selectFrom('account').selectAll().execute()).toEqual([]);
  const jobs = await sql`select id from graphile_worker.add_job('judge', '{}')`.execute(database.db);
  expect(jobs.rows).toHaveLength(1);
});

test('migrating again changes nothing', async () => {
  const applied = async () =>
    (await sql`select * from kysely_migration order by name`.execute(database.db)).rows;
  const before = await applied();
  expect(before).not.toEqual([]);
  await migrateDatabase(database.url);
  expect(await applied()).toEqual(before);
});

test('several processes can migrate an empty database at once', async () => {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  const url = new URL(inject('postgresUrl'));
  url.pathname = '/test_concurrent_migration';
  await admin.query('create database test_concurrent_migration');
  try {
    await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(url.href)));
  } finally {
    await admin.query('drop database test_concurrent_migration with (force)');
    await admin.end();
  }
});
