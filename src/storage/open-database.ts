// Opens the database of this deployment: PostgreSQL at DATABASE_URL, or the embedded one in DATA_DIR.
import { sql } from 'kysely';
import { isDatabaseUnavailable } from '../base/database-unavailable.ts';
import { Fault } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { startEmbeddedPostgres } from './embedded/server.ts';
import { createDatabase, createReports, type Database } from './postgres/database.ts';
import { requireReadableAddress, unavailable } from './postgres/database-address.ts';
import { migrateDatabase } from './postgres/migrate.ts';

/** The part of the configuration that names the database. */
export interface DatabaseSource {
  readonly DATABASE_URL?: string;
  readonly DATABASE_DIRECT_URL?: string;
  readonly dataDir: string;
}

interface OpenOptions {
  readonly maxConnections?: number;
  readonly applicationName?: string;
}

export interface OpenDatabase {
  readonly db: Database;
  /** For the operator's reports: a few connections of its own, and a statement timeout. */
  readonly reports: Database;
  /** Address of the pool, also for other processes (`DATABASE_URL`); holds the password. */
  readonly connectionString: string;
  /**
   * Address for work that needs a session of its own: LISTEN, session locks, the job queue (`DATABASE_DIRECT_URL`). The
   * same as `connectionString` if no pooler is in between; holds the password.
   */
  readonly directConnectionString: string;
  /** Closes the pools; an embedded server stops when no other process uses it. */
  close(): Promise<void>;
}

/**
 * Connects and migrates. Any number of processes may call this at once, the server and the command line alike.
 * @throws Fault CONFIG_INVALID, DATABASE_UNAVAILABLE, DATABASE_START_FAILED, DATABASE_TOO_OLD, DATABASE_UNKNOWN,
 * DATABASE_NEWER, MIGRATION_FAILED.
 */
export async function openDatabase(
  source: DatabaseSource,
  log: Logger,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
    const address = source[name];
    if (address !== undefined) requireReadableAddress(name, address);
  }
  const server = source.DATABASE_URL
    ? { connectionString: source.DATABASE_URL, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir: source.dataDir, log });
  const { connectionString } = server;
  const directConnectionString = source.DATABASE_DIRECT_URL ?? connectionString;
  const behindPooler = directConnectionString !== connectionString;
  const db = createDatabase(connectionString, { ...options, log, behindPooler });
  const reports = createReports(directConnectionString, { log });
  const close = async () => {
    await Promise.all([db.destroy(), reports.destroy()]);
    await server.stop();
  };
  try {
    if (source.DATABASE_DIRECT_URL) await requireOneDatabase(db, reports);
    await migrateDatabase(directConnectionString);
  } catch (error) {
    await close();
    throw asUnavailable(error);
  }
  return { db, reports, connectionString, directConnectionString, close };
}

/**
 * Two addresses that lead to two databases would split the service: jobs in one, challenges in the other.
 * @throws Fault CONFIG_INVALID
 */
async function requireOneDatabase(db: Database, direct: Database): Promise<void> {
  // A server's start time, to the microsecond, identifies it.
  const identify = async (on: Database) => {
    const { rows } = await sql<{ server: string; name: string }>`
      select extract(epoch from pg_postmaster_start_time())::text as server, current_database()::text as name`.execute(
      on,
    );
    return `${rows[0]!.server} ${rows[0]!.name}`;
  };
  const [pooled, own] = await Promise.all([identify(db), identify(direct)]).catch(unavailable);
  if (pooled !== own) {
    throw new Fault('CONFIG_INVALID', 'DATABASE_URL and DATABASE_DIRECT_URL point to different databases');
  }
}

/** A refused or lost connection is not a failed migration, nor is a wrong password (28…) or database name (3D000). */
function asUnavailable(error: unknown): unknown {
  const cause = error instanceof Fault ? error.cause : error;
  const { code = '' } = (cause ?? {}) as { code?: string };
  if (!isDatabaseUnavailable(cause) && !/^(28...|3D000)$/.test(code)) return error;
  return new Fault('DATABASE_UNAVAILABLE', (cause as Error).message, { cause });
}
