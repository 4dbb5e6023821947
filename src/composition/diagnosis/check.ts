// One check of `likeness doctor`: what it finds, and what becomes of one that throws.

/** What one check found. `mend` says how to fix it, and is set unless all is well. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'notEvaluated';
  readonly detail: string;
  readonly mend?: string;
}

export type Finding = Omit<Check, 'name'>;

/** What helps where a disk is full. */
export const FREE_SPACE = 'free some space, or move DATA_DIR to a larger disk';

/** Runs a check; one that throws has failed, and `mend` says what helps. */
export async function check(name: string, run: () => Promise<Finding>, mend: string): Promise<Check> {
  try {
    return { name, ...(await run()) };
  } catch (error) {
    return { name, status: 'failed', detail: messageOf(error), mend: isDiskFull(error) ? FREE_SPACE : mend };
  }
}

/** What was thrown, in words for the operator. */
export function messageOf(error: unknown): string {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall?.startsWith('spawn')) return 'not found on the PATH';
  return error instanceof Error ? error.message : String(error);
}

/** The store's faults carry the system's error as their cause. */
function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } };
  return code === 'ENOSPC' || cause?.code === 'ENOSPC';
}
