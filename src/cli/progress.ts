// Shows the progress of long work on stderr, only on a terminal.
import { SingleBar } from 'cli-progress';

/** Reports how much of the work is done. */
export type Report = (done: number) => void;

/** Writes a line to stderr, above the bar if there is one. */
export type PrintLine = (line: string) => void;

/**
 * Shows a bar while `work` runs.
 * @param what plural noun for what is counted
 * @param total null if not known in advance; then only the count is shown
 */
export async function withProgress<T>(
  what: string,
  total: number | null,
  work: (report: Report, printLine: PrintLine) => Promise<T>,
): Promise<T> {
  const format =
    total === null
      ? `likeness: {value} ${what}, {duration_formatted}`
      : `likeness: {bar} {value}/{total} ${what}, {eta_formatted} left`;
  const bar = new SingleBar({ format });
  bar.start(total ?? 0, 0);
  // The bar occupies the cursor's line; its next update redraws it.
  const clear = process.stderr.isTTY ? '\r\u001b[K' : '';
  const printLine: PrintLine = (line) => void process.stderr.write(`${clear}${line}\n`);
  try {
    return await work((done) => bar.update(done), printLine);
  } finally {
    bar.stop();
  }
}
