// Errors as log lines show them. Properties that libraries attach are left out: PostgreSQL's `detail` quotes rows, and
// HTTP clients attach requests with their secrets.

/** The logged fields of an error, and of its cause and aggregated errors. */
export interface LoggedError {
  readonly type: string;
  readonly code?: string | number;
  readonly message?: string;
  readonly stack?: string;
  readonly errors?: readonly LoggedError[];
  readonly cause?: LoggedError;
}

/** Causes may be cyclic. */
const MAX_DEPTH = 5;

/** Type, code, message and stack of a thrown error; only the type of any other value. */
export function loggedError(thrown: unknown, depth = 0): LoggedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const { code } = thrown as { code?: unknown };
  const errors = 'errors' in thrown && Array.isArray(thrown.errors) ? thrown.errors : null;
  const deeper = depth < MAX_DEPTH;
  return {
    type: thrown.constructor.name,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    message: thrown.message,
    ...(thrown.stack !== undefined && { stack: thrown.stack }),
    ...(deeper && errors && { errors: errors.map((each) => loggedError(each, depth + 1)) }),
    ...(deeper && thrown.cause !== undefined && { cause: loggedError(thrown.cause, depth + 1) }),
  };
}
