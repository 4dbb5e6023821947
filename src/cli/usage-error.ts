// Usage errors found only after the arguments are parsed: unreadable files, unknown names.
import { InputError } from '../lab/csv.ts';
import { EXIT } from './exit-codes.ts';

/** Ends the command with exit code 2. */
export class UsageError extends Error {}

/** Runs `work`. Prints an error that the operator can fix and sets exit code 2; rethrows any other. */
export async function orUsage(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const usage = usageOf(error);
    if (!usage) throw error;
    process.stderr.write(`likeness: ${usage}\n`);
    process.exitCode = EXIT.usage;
  }
}

const UNREADABLE = new Set(['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** An unreadable file is a usage error: nothing was judged, and the video itself is not at fault. */
function usageOf(error: unknown): string | null {
  if (error instanceof UsageError || error instanceof InputError) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  if (path && code && UNREADABLE.has(code)) return `cannot read ${path}: ${code}`;
  return error instanceof TypeError && error.message.endsWith('not a regular file') ? error.message : null;
}
