// Migrates a database to the newest schema: our plain SQL files in order, then the job queue's own migrations.
import { createHash } from 'node:crypto';
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
 * alike. Files are applied by name, in order, whichever room they are of. Once released, none is renamed, and none
 * changed but for its comments, because a database records the names that it has seen, and hashes of their statements.
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
    const { unseen, isNewer } = compareHistory(migrations, await readHistory(lock));
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

/** Names of the migrations that have been applied to this database, and hashes of what they were; null if not known. */
async function readHistory(client: pg.ClientBase): Promise<Map<string, string | null>> {
  if (!(await tableExists(client, 'kysely_migration'))) return new Map();
  const isHashed = await tableExists(client, 'migration_hash');
  const { rows } = await client.query<{ name: string; sha256: string | null }>(
    isHashed
      ? 'select name, sha256 from kysely_migration left join migration_hash using (name)'
      : 'select name, null as sha256 from kysely_migration',
  );
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

async function tableExists(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [table]);
  return rows[0]!.is;
}

/**
 * Which of the known migrations a database has not seen, and whether a newer version has migrated it further.
 * @throws Fault DATABASE_UNKNOWN if it has seen others that do not follow the known ones, or these with other statements
 */
function compareHistory(
  known: Readonly<Record<string, OwnMigration>>,
  seen: ReadonlyMap<string, string | null>,
): { unseen: string[]; isNewer: boolean } {
  const names = Object.keys(known);
  const unseen = names.filter((name) => !seen.has(name));
  const others = [...seen.keys()].filter((name) => !known[name]);
  const isNewer = others.length > 0;
  const isOther = names.some((name) => seen.has(name) && seen.get(name) !== known[name]!.sha256);
  if (isOther || (isNewer && (unseen.length > 0 || others.some((name) => name < names.at(-1)!)))) {
    throw new Fault('DATABASE_UNKNOWN');
  }
  return { unseen, isNewer };
}

async function runOwnMigrations(pool: pg.Pool, migrations: Record<string, OwnMigration>): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'before the first';
  throw new Fault('MIGRATION_FAILED', `${failed}: ${(error as Error).message}`, { cause: error });
}

interface OwnMigration extends Migration {
  /** Hash of its statements, hexadecimal. */
  readonly sha256: string;
}

async function readMigrations(rooms: string): Promise<Record<string, OwnMigration>> {
  const paths = (await readdir(rooms, { recursive: true })).filter((path) => MIGRATION.test(path));
  const inOrder = paths.map((path) => ({ path, name: basename(path, '.sql') })).sort(byName);
  const entries = inOrder.map(async ({ path, name }): Promise<[string, OwnMigration]> => {
    const text = await readFile(join(rooms, path), 'utf8');
    const sha256 = hashOfStatements(text);
    const up = async (db: Kysely<unknown>) => {
      await sql.raw(text).execute(db);
      await sql`create table if not exists migration_hash (name text primary key, sha256 text not null)`.execute(
        db,
      );
      await sql`insert into migration_hash values (${name}, ${sha256})`.execute(db);
    };
    return [name, { up, sha256 }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Without comments and white space, so that a migration may be explained better after its release. */
function hashOfStatements(text: string): string {
  const statements = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(statements).digest('hex');
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
