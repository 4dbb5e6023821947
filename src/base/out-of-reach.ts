// Which errors mean that the database cannot be used just now (503, come again; start again later) rather than a bug.
import { Fault } from './errors.ts';

/** Errors of the connection itself, as node names them. */
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
 * PostgreSQL's classes and codes (appendix A of its manual): connection exceptions, shutdowns and starts, a full disk, no
 * memory, too many connections, a server that turned read-only by a failover, and a statement that took too long.
 */
const SQL_STATE = /^(08|57P0[1-3]|57014|53[123]00|25006)/;
/** pg and pg-pool give these no code. The last: a connection that broke between two statements of a transaction. */
const MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client .* and is not queryable$)/;

/** Whether this says that the database cannot be used just now, whoever threw it. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Fault) return error.code === 'DATABASE_UNAVAILABLE';
  if (MESSAGE.test(error.message)) return true;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (SQL_STATE.test(code) || SOCKET_CODES.has(code));
}
