// Migrates a database to the newest schema: our plain SQL files in order, then the job queue's own migrations.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { Fault } from '../../base/errors.ts';
import { LOCKS } from './coordination/advisory-locks.ts';
import { unavailable } from './database-address.ts';

/**
 * Every room's `migrations/` of this folder. The path is valid from src/storage/postgres and dist/storage/postgres
 * alike. Files are applied by name, in order, whichever room they are of. Once released, none is changed or renamed,
 * because a database records the names it has seen.
 */
const ROOMS = join(import.meta.dirname, '..', '..', '..', 'src');
const MIGRATION = /^[^/\\]+[/\\]migrations[/\\][^/\\]+\.sql$/;
/** The first version with `pg_checkpoint`, by which erased keys leave the WAL; 14 is out of support. */
const OLDEST_POSTGRESQL = 15;

/**
 * Runs every migration that this database has not seen, each in a transaction of its own. Any number of processes may
 * call this at once: one works, the others wait and then find nothing to do.
 * @throws Fault MIGRATION_FAILED naming the migration, DATABASE_TOO_OLD, and, without having changed anything,
 * DATABASE_UNKNOWN, DATABASE_NEWER.
 */
export async function migrateDatabase(connectionString: string, rooms: string = ROOMS): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 3, connectionTimeoutMillis: 10_000 });
  // A waiting statement rejects when its connection breaks; without error listeners the process would end too.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const lock = await pool.connect().catch(unavailable);
  try {
    await requireVersion(lock);
    // A session lock, which is released with this process, whatever happens to it.
    await lock.query('select pg_advisory_lock($1)', [LOCKS.migrations]);
    const migrations = await readMigrations(rooms);
    const { unseen, isNewer } = compareHistory(Object.keys(migrations), await readHistory(lock));
    if (isNewer) throw new Fault('DATABASE_NEWER');
    if (unseen.length > 0) await runOwnMigrations(pool, migrations);
    await runMigrations({ pgPool: pool, schema: 'graphile_worker' });
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('MIGRATION_FAILED', (error as Error).message, { cause: error });
  } finally {
    lock.release(true);
    await pool.end();
  }
}

async function requireVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`);
  const { number, version } = rows[0]!;
  if (number >= OLDEST_POSTGRESQL * 10_000) return;
  throw new Fault('DATABASE_TOO_OLD', `it is ${version}; ${OLDEST_POSTGRESQL} or newer is required`);
}

/** Names of the migrations that have been applied to this database. */
async function readHistory(client: pg.ClientBase): Promise<string[]> {
  if (!(await tableExists(client, 'kysely_migration'))) return [];
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration');
  return rows.map(({ name }) => name);
}

async function tableExists(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [table]);
  return rows[0]!.is;
}

/**
 * Which of the known migrations a database has not seen, and whether a newer version has migrated it further.
 * @throws Fault DATABASE_UNKNOWN if it has seen others that do not follow the known ones
 */
function compareHistory(
  known: readonly string[],
  seen: readonly string[],
): { unseen: string[]; isNewer: boolean } {
  const unseen = known.filter((name) => !seen.includes(name));
  const others = seen.filter((name) => !known.includes(name));
  const isNewer = others.length > 0;
  if (isNewer && (unseen.length > 0 || others.some((name) => name < known.at(-1)!))) {
    throw new Fault('DATABASE_UNKNOWN');
  }
  return { unseen, isNewer };
}

async function runOwnMigrations(pool: pg.Pool, migrations: Record<string, Migration>): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'before the first';
  throw new Fault('MIGRATION_FAILED', `${failed}: ${(error as Error).message}`, { cause: error });
}

async function readMigrations(rooms: string): Promise<Record<string, Migration>> {
  const paths = (await readdir(rooms, { recursive: true })).filter((path) => MIGRATION.test(path));
  const inOrder = paths.map((path) => ({ path, name: basename(path, '.sql') })).sort(byName);
  const entries = inOrder.map(async ({ path, name }): Promise<[string, Migration]> => {
    const text = await readFile(join(rooms, path), 'utf8');
    return [name, { up: async (db) => void (await sql.raw(text).execute(db)) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
