// One check of `likeness doctor`: its finding, also if it throws.

/** The finding of one check. `mend` says how to fix a problem. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'notEvaluated';
  readonly detail: string;
  readonly mend?: string;
}

export type Finding = Omit<Check, 'name'>;

/** What is broken, and how to fix it. */
export const problem = (detail: string, mend: string): Finding => ({ status: 'failed', detail, mend });

/** The remedy for a full disk. */
export const FREE_SPACE = 'free some space, or move DATA_DIR to a larger disk';

/** Runs a check. If it throws, it has failed, with `mend` as its remedy. */
export async function check(name: string, run: () => Promise<Finding>, mend: string): Promise<Check> {
  try {
    return { name, ...(await run()) };
  } catch (error) {
    return { name, status: 'failed', detail: messageOf(error), mend: isDiskFull(error) ? FREE_SPACE : mend };
  }
}

/** Describes a thrown value for the operator. */
export function messageOf(error: unknown): string {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall?.startsWith('spawn')) return 'not found on the PATH';
  return error instanceof Error ? error.message : String(error);
}

/** Whether the disk is full. The store's faults have the system's error as their cause. */
function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } };
  return code === 'ENOSPC' || cause?.code === 'ENOSPC';
}
