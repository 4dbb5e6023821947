// Which errors mean that the database cannot take the request just now (503, come again) rather than a bug (500).
import { Fault } from '../base/errors.ts';

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
 * PostgreSQL's classes and codes (appendix A of its manual): connection exceptions, shutdowns and starts, too many
 * connections, and a server that turned read-only by a failover.
 */
const SQL_STATE = /^(08|57P0[1-3]|53300|25006)/;
/** pg and pg-pool give these no code. */
const MESSAGE = /^(timeout exceeded when trying to connect|Connection terminated)/;

export function isOutOfReach(error: Error & { code?: unknown }): boolean {
  if (error instanceof Fault) return error.code === 'DATABASE_UNAVAILABLE';
  if (MESSAGE.test(error.message)) return true;
  if (typeof error.code !== 'string') return false;
  return SQL_STATE.test(error.code) || SOCKET_CODES.has(error.code);
}
