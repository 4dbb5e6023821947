// Which errors mean that the database is temporarily unavailable (answer 503; retry the start later) rather than a bug.
import { Fault } from './errors.ts';

/** Node's codes for errors of the connection itself. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
]);
/**
 * SQLSTATE classes and codes (appendix A of PostgreSQL's manual): connection exceptions, shutdown and start-up, disk
 * full, out of memory, too many connections, a server that became read-only in a failover, and a statement that took
 * too long.
 */
const SQL_STATE = /^(08|57P0[1-3]|57014|53[123]00|25006)/;
/**
 * Errors of pg and pg-pool without a code. The last is a connection that broke between two statements of a transaction.
 */
const MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client .* and is not queryable$)/;

/** Whether an error means that the database cannot be used right now, whatever threw it. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Fault) return error.code === 'DATABASE_UNAVAILABLE';
  if (MESSAGE.test(error.message)) return true;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (SQL_STATE.test(code) || SOCKET_CODES.has(code));
}
