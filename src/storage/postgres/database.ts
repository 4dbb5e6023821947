// The PostgreSQL connection pool as one typed Kysely object, which every store of this folder uses.
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from '../../base/log.ts';
import { openLongLivedPool } from './long-lived-connection.ts';
import type { Schema } from './schema.ts';

/** A pool, or a transaction of one. */
export type Database = Kysely<Schema>;

/** For a step of a transaction that must not run alone. */
export type Trx = Transaction<Schema>;

export interface DatabaseOptions {
  /** Most connections of this process; default 10. */
  readonly maxConnections?: number;
  /** Statements that take longer are cancelled; default: no limit. */
  readonly statementTimeoutMs?: number;
  /** The connections are a pooler's: no session settings. */
  readonly behindPooler?: boolean;
  /** Name that `pg_stat_activity` shows. */
  readonly applicationName?: string;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  readonly log?: Logger;
}

/**
 * Opens a pool. Nothing is connected until the first query; `destroy()` of the result closes it. `bigint` columns come
 * back as numbers (ours stay far below 2^53), `timestamptz` as Date, `jsonb` parsed.
 */
export const createDatabase = (connectionString: string, options: DatabaseOptions = {}): Database =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(connectionString, options) }) });

function openPool(connectionString: string, options: DatabaseOptions): pg.Pool {
  const pool = openLongLivedPool({
    connectionString,
    behindPooler: options.behindPooler ?? false,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName ?? 'likeness',
    ...(options.statementTimeoutMs !== undefined && { statement_timeout: options.statementTimeoutMs }),
    types: { getTypeParser },
  });
  // Without a listener a server restart would end the process.
  pool.on('error', (error) => {
    // `end` does not wait until connections have closed, so an embedded server may end before they do.
    if (!pool.ending) options.log?.warn({ err: error }, 'an idle database connection broke');
  });
  return pool;
}

/** Connections for the operator's reports: a page requests a few at once. Chosen, not measured. */
const REPORT_CONNECTIONS = 2;
/** Many times what any report takes with ten million challenges (bench/RESULTS-ROWS.md). */
const REPORT_TIMEOUT_MS = 5_000;

/** The pool for the operator's reports: however long they take, they occupy none of the API's connections. */
export const createReports = (
  connectionString: string,
  options: Pick<DatabaseOptions, 'log'> = {},
): Database =>
  createDatabase(connectionString, {
    ...options,
    maxConnections: REPORT_CONNECTIONS,
    statementTimeoutMs: REPORT_TIMEOUT_MS,
    applicationName: 'likeness reports',
  });

const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;
