// `likeness migrate` on an empty database, and processes that wait for another to migrate.
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { findPendingMigrations } from '../../src/storage/postgres/migrate.ts';
import { createDeployment, runLikeness, type TestDeployment } from '../support/command-line.ts';

const NAME = 'test_migrate_command';
const log = createLogger({ level: 'silent', process: 'test' });
const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${NAME}` }).href;
let deployment: TestDeployment;

beforeEach(async () => {
  await asAdmin(`create database ${NAME}`);
  deployment = await createDeployment();
  vi.stubEnv('DATABASE_URL', url);
});
afterEach(async () => {
  await deployment.remove();
  await asAdmin(`drop database ${NAME} with (force)`);
});

test('migrates and ends, even where services wait; other commands refuse until then', async () => {
  vi.stubEnv('MIGRATIONS', 'wait');
  expect(await findPendingMigrations(url)).toContain('graphile_worker');
  const before = await runLikeness(['accounts', 'list']);
  expect(before.code).toBe(1);
  expect(before.stderr).toMatch(/run `likeness migrate`: .*0001.*\[MIGRATIONS_PENDING\]/);
  for (let times = 0; times < 2; times += 1) {
    expect(await runLikeness(['migrate', '--json'])).toMatchObject({ code: 0 });
    expect(await findPendingMigrations(url)).toEqual([]);
  }
  expect(await runLikeness(['accounts', 'list'])).toMatchObject({ code: 0 });
}, 30_000);

test('a database of the development before the first release is refused in one sentence that says what to do', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create table kysely_migration (name text primary key, timestamp text not null);
    insert into kysely_migration values ('0001-foundation', now()::text)`);
  for (const policy of ['apply', 'wait']) {
    vi.stubEnv('MIGRATIONS', policy);
    for (const command of [['migrate'], ['accounts', 'list']]) {
      const { code, stderr } = await runLikeness(command);
      expect(code).toBe(1);
      expect(stderr.trim()).toMatch(
        /^[^\n]*from before the first release[^\n]*start with an empty one[^\n]*\[DATABASE_UNKNOWN\]$/,
      );
    }
  }
  const { rows } =
    await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace
    and relkind = 'r'`);
  expect(rows).toEqual([{ relname: 'kysely_migration' }]);
  await client.end();
}, 30_000);

test('a waiting process continues once another has migrated, and accepts the database of a newer version', async () => {
  const opening = openDatabase({ DATABASE_URL: url, dataDir: deployment.dataDir, MIGRATIONS: 'wait' }, log);
  let isOpen = false;
  void opening.then(() => {
    isOpen = true;
  });
  await new Promise((done) => setTimeout(done, 1_500));
  expect(isOpen).toBe(false);
  await runLikeness(['migrate']);
  const { db, close } = await opening;
  await db
    .insertInto('kysely_migration' as never)
    .values({ name: '9999-of-a-newer-version', timestamp: new Date().toISOString() } as never)
    .execute();
  await close();
  const again = { DATABASE_URL: url, dataDir: deployment.dataDir, MIGRATIONS: 'refuse' } as const;
  await (await openDatabase(again, log)).close();
}, 30_000);

test('the wait ends when the process stops', async () => {
  const source = { DATABASE_URL: url, dataDir: deployment.dataDir, MIGRATIONS: 'wait' } as const;
  await expect(openDatabase(source, log, { isStopping: () => true })).rejects.toMatchObject({
    code: 'MIGRATIONS_PENDING',
  });
});

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(statement).finally(() => admin.end());
}
