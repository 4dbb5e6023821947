// Output that nobody takes: a reader that has read enough (`likeness accounts list | head -1`), a disk that is full.
import { EXIT } from './exit-codes.ts';

let isHeeded = false;

/**
 * A reader that went away ends neither a command, whose work is done by then, nor a service. An answer that could not be
 * written for another reason is a fault: it may hold a key that is shown once.
 */
export function heedBrokenOutput(): void {
  if (isHeeded) return;
  isHeeded = true;
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`likeness: the answer could not be written: ${code}\n`);
    process.exitCode = EXIT.fault;
  });
  process.stderr.on('error', () => {});
}
