// Migrations on real databases: each applied once, in order, whoever starts; databases of other versions left
// untouched.
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { migrateDatabase } from '../../../../src/storage/postgres/migrate.ts';

const ROOMS = resolve(import.meta.dirname, '..', '..', '..', '..', 'src');
const name = `test_migrate_${randomBytes(8).toString('hex')}`;
const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href;
let client: pg.Client;
/** The rooms of a later version, with our migrations and those that a test adds. */
let folder: string;

beforeEach(async () => {
  await asAdmin(`create database ${name}`);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  for (const room of ['storage', 'oidc']) {
    await cp(join(ROOMS, room, 'migrations'), join(folder, room, 'migrations'), { recursive: true });
  }
});
afterEach(async () => {
  await client.end();
  await asAdmin(`drop database ${name} with (force)`);
  await rm(folder, { recursive: true });
});

test('a migrated database has our tables and the job queue, and migrating again changes nothing', async () => {
  await migrateDatabase(url);
  expect(await rowsOf('select * from account')).toEqual([]);
  expect(await rowsOf(`select id from graphile_worker.add_job('judge', '{}')`)).toHaveLength(1);
  const before = await rowsOf('select * from kysely_migration order by name');
  expect(before).not.toEqual([]);
  await migrateDatabase(url);
  expect(await rowsOf('select * from kysely_migration order by name')).toEqual(before);
});

test('several processes can migrate an empty database at once', async () => {
  await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(url)));
  expect(await rowsOf('select * from account')).toEqual([]);
});

test('migrations of a later version are applied on top, in order, once, by one of several processes', async () => {
  await migrateDatabase(url);
  await client.query(
    `insert into account (id, name, display_name, wrapped_key, master_key_id) values ('a', 'a', 'A', '', 'k')`,
  );
  await add('storage', '9001-steps.sql', `create table step (number integer); insert into step values (1);`);
  await add(
    'oidc',
    '9002-more.sql',
    `alter table step add column account text; insert into step select 2, id from account;`,
  );
  await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(url, folder)));
  expect(await rowsOf('select number, account from step order by number')).toEqual([
    { number: 1, account: null },
    { number: 2, account: 'a' },
  ]);
  const history = await rowsOf('select name from kysely_migration order by timestamp, name');
  expect(history.slice(-2)).toEqual([{ name: '9001-steps' }, { name: '9002-more' }]);
});

test('a migration that fails is named and leaves nothing behind', async () => {
  await migrateDatabase(url);
  await add(
    'storage',
    '9001-broken.sql',
    'create table step (number integer); insert into step values (1 / 0);',
  );
  const before = await contents();
  await expect(migrateDatabase(url, folder)).rejects.toMatchObject({
    code: 'MIGRATION_FAILED',
    message: expect.stringContaining('9001-broken: division by zero'),
  });
  expect(await contents()).toEqual(before);
});

test('a database that a newer version migrated is refused and left untouched', async () => {
  await add('storage', '9001-of-a-newer-version.sql', 'create table step (number integer)');
  await migrateDatabase(url, folder);
  const before = await contents();
  await expect(migrateDatabase(url)).rejects.toMatchObject({ code: 'DATABASE_NEWER' });
  expect(await contents()).toEqual(before);
});

test.each([
  [
    'in which a migration had one statement more',
    (text: string) => `${text}\ncreate table step (number integer);`,
  ],
  ['in which a migration had one index less', (text: string) => text.replace(/create index [^;]+;/, '')],
])('a database %s is refused and left untouched', async (_, change) => {
  const file = join(folder, 'storage', 'migrations', '0001-service.sql');
  await writeFile(file, change(await readFile(file, 'utf8')));
  await migrateDatabase(url, folder);
  const before = await contents();
  await expect(migrateDatabase(url)).rejects.toMatchObject({ code: 'DATABASE_UNKNOWN' });
  expect(await contents()).toEqual(before);
});

test('a database whose history has names alone is refused, and one whose migrations gained remarks is not', async () => {
  const file = join(folder, 'storage', 'migrations', '0001-service.sql');
  await writeFile(file, `-- A remark.\n${await readFile(file, 'utf8')}\n  -- and another\n`);
  await migrateDatabase(url, folder);
  await migrateDatabase(url);
  await client.query('drop table migration_hash');
  await expect(migrateDatabase(url)).rejects.toMatchObject({ code: 'DATABASE_UNKNOWN' });
});

test.each([
  ['of the development before the first release', ['0001-foundation', '0002-featid']],
  ['of the version before the login had its own schema', ['0001-initial']],
  ['whose newest migration came later', ['0001-foundation', '9999-newest']],
  ['with the first migration and an unknown one before it', ['0000-other', '0001-service']],
])('a database %s is refused and left untouched', async (_, history) => {
  await client.query(`create table kysely_migration (name text primary key, timestamp text not null);
    create table account (id text primary key, name text not null); insert into account values ('acct_1', 'Acme')`);
  await client.query(`insert into kysely_migration select unnest($1::text[]), now()::text`, [history]);
  const before = await contents();
  await expect(migrateDatabase(url)).rejects.toMatchObject({ code: 'DATABASE_UNKNOWN' });
  expect(await contents()).toEqual(before);
  expect(await rowsOf('select * from account')).toEqual([{ id: 'acct_1', name: 'Acme' }]);
});

async function add(room: string, file: string, text: string): Promise<void> {
  await writeFile(join(folder, room, 'migrations', file), text);
}

async function rowsOf(text: string): Promise<Record<string, unknown>[]> {
  return (await client.query(text)).rows;
}

/** Everything that a migration could change: schemas, relations, columns and the history. */
async function contents(): Promise<unknown> {
  return {
    columns: await rowsOf(`select table_schema, table_name, column_name, data_type, column_default
      from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema') order by 1, 2, 3`),
    schemas: await rowsOf(`select nspname from pg_namespace where nspname !~ '^pg_' order by 1`),
    history: await rowsOf('select * from kysely_migration order by name'),
  };
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(statement).finally(() => admin.end());
}
