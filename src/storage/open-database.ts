// Opens the database of this deployment: PostgreSQL at DATABASE_URL, or the embedded one in DATA_DIR.
import { Fault } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { isOutOfReach } from '../base/out-of-reach.ts';
import { startEmbeddedPostgres } from './embedded/server.ts';
import { createDatabase, createReports, type Database } from './postgres/database.ts';
import { migrateDatabase } from './postgres/migrate.ts';

/** The part of the configuration that names the database. */
export interface DatabaseSource {
  readonly DATABASE_URL?: string;
  readonly dataDir: string;
}

export interface OpenDatabase {
  readonly db: Database;
  /** For what the operator reads: a few connections of its own, and a limit on the time of a statement. */
  readonly reports: Database;
  /** For the job queue, and for worker processes (`DATABASE_URL`); holds the password. */
  readonly connectionString: string;
  /** Closes the pools; an embedded server stops when no other process uses it. */
  close(): Promise<void>;
}

/**
 * Connects and migrates. Any number of processes may call this at once, the server and the command line alike.
 * @throws Fault DATABASE_UNAVAILABLE, DATABASE_START_FAILED, MIGRATION_FAILED.
 */
export async function openDatabase(
  source: DatabaseSource,
  log: Logger,
  options: { maxConnections?: number; applicationName?: string } = {},
): Promise<OpenDatabase> {
  const server = source.DATABASE_URL
    ? { connectionString: source.DATABASE_URL, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir: source.dataDir, log });
  const { connectionString } = server;
  const db = createDatabase(connectionString, { ...options, log });
  const reports = createReports(connectionString, { log });
  const close = async () => {
    await Promise.all([db.destroy(), reports.destroy()]);
    await server.stop();
  };
  try {
    await migrateDatabase(connectionString);
  } catch (error) {
    await close();
    throw asUnavailable(error);
  }
  return { db, reports, connectionString, close };
}

/** A refused or lost connection is not a failed migration, nor is a wrong password (28…) or database name (3D000). */
function asUnavailable(error: unknown): unknown {
  const cause = error instanceof Fault ? error.cause : error;
  const { code = '' } = (cause ?? {}) as { code?: string };
  if (!isOutOfReach(cause) && !/^(28...|3D000)$/.test(code)) return error;
  return new Fault('DATABASE_UNAVAILABLE', (cause as Error).message, { cause });
}
