// The address of a database as the operator wrote it, and why nobody is reached there. It holds a password: nothing of it
// is repeated.
import pg from 'pg';
import { Fault } from '../../base/errors.ts';

/**
 * Reads the address as it will be read for every connection, and connects to nothing.
 * @param variable that it is the value of
 * @throws Fault CONFIG_INVALID
 */
export function requireReadableAddress(variable: string, connectionString: string): void {
  try {
    new pg.Client({ connectionString });
  } catch (error) {
    const { path, message } = error as NodeJS.ErrnoException;
    // A certificate that it names cannot be read.
    if (path) throw new Fault('CONFIG_INVALID', `${variable}: ${message}`);
    throw new Fault(
      'CONFIG_INVALID',
      `${variable} cannot be read: write it postgres://user:password@host:port/database, with user and password ` +
        'percent-encoded (a / as %2F, an @ as %40, a # as %23)',
    );
  }
}

/**
 * For the rejection of a connection, whatever its reason: a server that is away, a wrong password, a certificate that
 * nobody here trusts.
 * @throws Fault DATABASE_UNAVAILABLE
 */
export function unavailable(cause: Error): never {
  // A name with several addresses fails at each of them, and the error itself says nothing.
  const all = cause instanceof AggregateError ? cause.errors.map((each: Error) => each.message) : [];
  throw new Fault('DATABASE_UNAVAILABLE', all.join(', ') || cause.message, { cause });
}
