// The pool of connections to PostgreSQL, as one typed Kysely object. Every store of this folder works through it.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../../base/log.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

export interface DatabaseOptions {
  /** Most connections of this process; default 10. */
  readonly maxConnections?: number;
  /** Statements that take longer are cancelled; default: none are. */
  readonly statementTimeoutMs?: number;
  /** Name that `pg_stat_activity` shows. */
  readonly applicationName?: string;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  readonly log?: Logger;
}

/**
 * Opens a pool. Nothing is connected until the first query; `destroy()` of the answer closes it.
 * `bigint` columns come back as numbers (ours stay far below 2^53), `timestamptz` as Date, `jsonb` parsed.
 */
export function createDatabase(connectionString: string, options: DatabaseOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName ?? 'likeness',
    connectionTimeoutMillis: 10_000,
    ...(options.statementTimeoutMs !== undefined && { statement_timeout: options.statementTimeoutMs }),
    types: { getTypeParser },
  });
  // Without error listeners a server restart would end the process: one on the pool for idle connections, one on each
  // connection that is checked out but between statements.
  pool.on('error', (error) => {
    // `end` does not wait until connections have closed: an embedded server may end before they do.
    if (!pool.ending) options.log?.warn({ err: error }, 'an idle database connection broke');
  });
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

/** Of the operator's readings: a page asks for a few at once. Chosen, not measured. */
const REPORT_CONNECTIONS = 2;
/** Many times what any of them takes with ten million challenges (bench/RESULTS-ROWS.md). */
const REPORT_TIMEOUT_MS = 5_000;

/** The pool for what the operator reads: however long that takes, the API's connections are not waited for. */
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
