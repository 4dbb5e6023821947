// The database address as the operator wrote it, and why no connection succeeds there. It holds a password, so no part
// of it is repeated in errors.
import pg from 'pg';
import { Fault } from '../../base/errors.ts';

/**
 * Parses the address as every connection will, without connecting.
 * @param variable the environment variable that it comes from
 * @throws Fault CONFIG_INVALID
 */
export function requireReadableAddress(variable: string, connectionString: string): void {
  try {
    new pg.Client({ connectionString });
  } catch (error) {
    const { path, message } = error as NodeJS.ErrnoException;
    // A certificate file that it names cannot be read.
    if (path) throw new Fault('CONFIG_INVALID', `${variable}: ${message}`);
    throw new Fault(
      'CONFIG_INVALID',
      `${variable} cannot be read: write it postgres://user:password@host:port/database, with user and password ` +
        'percent-encoded (a / as %2F, an @ as %40, a # as %23)',
    );
  }
}

/**
 * Turns the rejection of a connection into a fault, whatever its reason: an unreachable server, a wrong password, an
 * untrusted certificate.
 * @throws Fault DATABASE_UNAVAILABLE
 */
export function unavailable(cause: Error): never {
  // A host name with several addresses fails at each of them, and the error itself has no message.
  const all = cause instanceof AggregateError ? cause.errors.map((each: Error) => each.message) : [];
  throw new Fault('DATABASE_UNAVAILABLE', all.join(', ') || cause.message, { cause });
}
