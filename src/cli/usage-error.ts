// Wrong usage that shows only after the arguments are parsed: files that cannot be read, names that do not exist.
import { InputError } from '../measurement/csv.ts';
import { EXIT } from './exit-codes.ts';

/** Ends the command with exit code 2. */
export class UsageError extends Error {}

/** Runs `work`; an error that the operator can fix is printed, with exit code 2; others are rethrown. */
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

/** A file that cannot be read is wrong usage: nothing was judged, and nothing is wrong with the video. */
function usageOf(error: unknown): string | null {
  if (error instanceof UsageError || error instanceof InputError) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  if (path && code && UNREADABLE.has(code)) return `cannot read ${path}: ${code}`;
  return error instanceof TypeError && error.message.endsWith('not a regular file') ? error.message : null;
}
