// An error as a log line shows it. What libraries hang on errors stays out: PostgreSQL's `detail` quotes rows, HTTP
// clients keep requests with their secrets.

/** The fields of an error that are logged, its causes and gathered errors alike. */
export interface LoggedError {
  readonly type: string;
  readonly code?: string | number;
  readonly message?: string;
  readonly stack?: string;
  readonly errors?: readonly LoggedError[];
  readonly cause?: LoggedError;
}

/** Causes may go in circles. */
const MAX_DEPTH = 5;

/** Type, code, message and stack of what was thrown; of what is no error the type alone. */
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
