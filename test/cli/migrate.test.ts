// `likeness migrate` on an empty database, and on one of another history.
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { createDeployment, runLikeness, type TestDeployment } from '../support/command-line.ts';

const NAME = 'test_migrate_command';
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

test('migrates and ends, also where there is nothing left to do', async () => {
  for (let times = 0; times < 2; times += 1)
    expect(await runLikeness(['migrate', '--json'])).toMatchObject({ code: 0 });
  expect(await runLikeness(['accounts', 'list'])).toMatchObject({ code: 0 });
}, 30_000);

test('a database of the development before the first release is refused in one sentence that says what to do', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create table kysely_migration (name text primary key, timestamp text not null);
    insert into kysely_migration values ('0001-foundation', now()::text)`);
  for (const command of [['migrate'], ['accounts', 'list']]) {
    const { code, stderr } = await runLikeness(command);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(
      /^[^\n]*from before the first release[^\n]*start with an empty one[^\n]*\[DATABASE_UNKNOWN\]$/,
    );
  }
  const { rows } =
    await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace
    and relkind = 'r'`);
  expect(rows).toEqual([{ relname: 'kysely_migration' }]);
  await client.end();
}, 30_000);

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(statement).finally(() => admin.end());
}
