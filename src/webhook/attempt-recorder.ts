// Writes finished attempts. Those that end while a write is under way go together into the next one: under load one
// commit carries many attempts, alone an attempt waits for nobody.
import type { DeliveryStore, FinishedAttempt } from './ports.ts';

/** Attempts of one statement: far below its limit of parameters, and a short transaction. */
const MAX_BATCH = 200;

/** Resolves when the attempt is on disk; rejects when it could not be written. */
export type RecordAttempt = (finished: FinishedAttempt) => Promise<void>;

interface Waiting {
  readonly finished: FinishedAttempt;
  readonly settle: (writing: Promise<void>) => void;
}

export function createAttemptRecorder(store: Pick<DeliveryStore, 'recordAttempts'>): RecordAttempt {
  let waiting: Waiting[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const batch = takeBatch(waiting);
      waiting = waiting.filter((each) => !batch.includes(each));
      const written = store.recordAttempts(batch.map((each) => each.finished));
      for (const each of batch) each.settle(written);
      // A failed write is the business of those who wait for it.
      await written.catch(() => {});
    }
    writing = false;
  }

  return (finished) =>
    new Promise((resolve) => {
      waiting.push({ finished, settle: resolve });
      if (!writing) void writeAll();
    });
}

/** Each delivery once: a second attempt of the same one waits for the next write. */
function takeBatch(waiting: readonly Waiting[]): Waiting[] {
  const firsts = new Map<string, Waiting>();
  for (const each of waiting) {
    if (firsts.size === MAX_BATCH) break;
    if (!firsts.has(each.finished.deliveryId)) firsts.set(each.finished.deliveryId, each);
  }
  return [...firsts.values()];
}
