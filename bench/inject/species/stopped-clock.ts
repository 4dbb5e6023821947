// Stops a capture's clock while its attacker computes: what a machine with many processors does within the seconds that
// a recording may be late takes minutes on one with two.
import { connectToEmbedded } from '../../../test/support/attacker.ts';
import type { Service } from '../laboratory.ts';

/** Longer than any search. */
const STOPPED_FOR_MS = 86_400_000;

/** Runs the work. For the service it took no time: the capture was issued later by as much, and is due later. */
export async function withClockStopped<T>(
  { dataDir }: Pick<Service, 'dataDir'>,
  captureId: string,
  work: () => Promise<T>,
): Promise<T> {
  const database = await connectToEmbedded(dataDir);
  const shift = (ms: number) =>
    database.query(
      `update capture set issued_at = issued_at + $2 * interval '1 millisecond',
         commit_deadline = commit_deadline + $2 * interval '1 millisecond'
       where id = $1`,
      [captureId, ms],
    );
  try {
    const stoppedAtMs = performance.now();
    await shift(STOPPED_FOR_MS);
    const done = await work();
    await shift(performance.now() - stoppedAtMs - STOPPED_FOR_MS);
    return done;
  } finally {
    await database.end();
  }
}
