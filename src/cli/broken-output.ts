// Handles output that cannot be written: the reader has closed the pipe (`likeness accounts list | head -1`), or the
// disk is full.
import { EXIT } from './exit-codes.ts';

let isHandled = false;

/**
 * Ignores a closed pipe, which must end neither a command, whose work is done by then, nor a service. Any other failure
 * to write the result sets the fault exit code, because the result may hold a key that is shown only once.
 */
export function handleBrokenOutput(): void {
  if (isHandled) return;
  isHandled = true;
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`likeness: the answer could not be written: ${code}\n`);
    process.exitCode = EXIT.fault;
  });
  process.stderr.on('error', () => {});
}
