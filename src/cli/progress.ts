// Progress of long work, on stderr and only at a terminal.
import { SingleBar } from 'cli-progress';

/** Reports how much of the work is done. */
export type Report = (done: number) => void;

/**
 * Shows a bar while `work` runs.
 * @param what plural of what is counted
 * @param total null if it is not known beforehand: then only the count is shown
 */
export async function withProgress<T>(
  what: string,
  total: number | null,
  work: (report: Report) => Promise<T>,
): Promise<T> {
  const format =
    total === null
      ? `likeness: {value} ${what}, {duration_formatted}`
      : `likeness: {bar} {value}/{total} ${what}, {eta_formatted} left`;
  const bar = new SingleBar({ format });
  bar.start(total ?? 0, 0);
  try {
    return await work((done) => bar.update(done));
  } finally {
    bar.stop();
  }
}
