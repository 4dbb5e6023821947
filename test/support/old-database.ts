// A database as an older version left it: migrated up to a migration, in plain SQL.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';

const folder = resolve(import.meta.dirname, '..', '..', 'src', 'storage', 'migrations');

export interface OldDatabase {
  readonly url: string;
  readonly client: pg.Client;
  drop(): Promise<void>;
}

/** An empty database with every migration before `before`, e.g. `0012`. */
export async function createOldDatabase(before: string): Promise<OldDatabase> {
  const url = new URL(inject('postgresUrl'));
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  const name = `old_${randomBytes(8).toString('hex')}`;
  await admin.query(`create database ${name}`);
  url.pathname = `/${name}`;
  await migrate(url.href, before);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return {
    url: url.href,
    client,
    drop: async () => {
      await client.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

async function migrate(connectionString: string, before: string): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString }) }),
  });
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && name < before)
    .sort();
  const migrations = names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return [name.slice(0, -4), { up: async () => void (await sql.raw(text).execute(db)) }] as const;
  });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  await db.destroy();
  if (error) throw error;
}
