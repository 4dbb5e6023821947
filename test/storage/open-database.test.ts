import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = createLogger({ level: 'silent', process: 'test' });
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('DATABASE_URL is used unchanged, migrated, and typed', async () => {
  const { db, connectionString, close } = await openDatabase(
    { DATABASE_URL: database.url, dataDir: '/nonexistent' },
    log,
  );
  expect(connectionString).toBe(database.url);
  const { rows } =
    await sql`select count(*) as big, now() as time, '{"a":1}'::jsonb as json from account`.execute(db);
  expect(rows).toEqual([{ big: 0, time: expect.any(Date), json: { a: 1 } }]);
  await close();
});

test.each([
  ['nobody listens', { port: '1' }],
  ['the password is wrong', { password: 'wrong' }],
  ['there is no such database', { pathname: '/none' }],
])('a database where %s is unavailable, and the error says so without the password', async (_name, change) => {
  const { password } = new URL(database.url);
  const url = Object.assign(new URL(database.url), change);
  const opened = openDatabase({ DATABASE_URL: url.href, dataDir: '/nonexistent' }, log);
  const fault = await opened.catch((error: Error) => error as Error & { code: string });
  expect(fault).toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  expect((fault as Error).message).not.toContain(password);
});

test('a direct address of another database is refused', async () => {
  const other = await createTestDatabase();
  const urls = { DATABASE_URL: database.url, DATABASE_DIRECT_URL: other.url };
  await expect(openDatabase({ ...urls, dataDir: '/nonexistent' }, log)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
  });
  const same = await openDatabase(
    { ...urls, DATABASE_DIRECT_URL: `${database.url}?application_name=direct`, dataDir: '/nonexistent' },
    log,
  );
  expect(same.directConnectionString).toContain('direct');
  await same.close();
  await other.drop();
});
