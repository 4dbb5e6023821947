// A database as an older version left it: migrated up to a certain migration, for tests to fill in plain SQL.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

const folder = resolve(import.meta.dirname, '..', '..', 'src', 'storage', 'migrations');

/** Applies every migration of an empty database before `before`, e.g. `0012`. */
export async function migrateBefore(connectionString: string, before: string): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString }) }),
  });
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && name < before);
  const migrations = names.sort().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const up = async (trx: Kysely<unknown>) => void (await sql.raw(text).execute(trx));
    return [name.slice(0, -'.sql'.length), { up }] as const;
  });
  const provider = { getMigrations: async () => Object.fromEntries(migrations) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  await db.destroy();
  if (error) throw error;
}
