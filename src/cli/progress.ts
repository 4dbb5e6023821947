// Progress of long work, on stderr and only where a person looks on: a terminal.
import { SingleBar } from 'cli-progress';

/** Says how much of the work is done by now. */
export type Report = (done: number) => void;

/**
 * Shows a bar while `work` goes on.
 * @param what plural of what is counted
 * @param total null where it is not known beforehand: then the count alone is shown
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
