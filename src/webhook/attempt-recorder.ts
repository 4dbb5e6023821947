// Writes finished attempts; those that end while a write is in progress are written together.
import { createGroup } from '../base/group.ts';
import type { FinishedAttempt } from './tables/attempts.ts';
import type { DeliveryStore } from './tables/store.ts';

/** Most attempts per statement: far below the limit on parameters, and a short transaction. */
const MAX_BATCH = 200;

/** Resolves when the attempt is on disk; rejects when it could not be written. */
export type RecordAttempt = (finished: FinishedAttempt) => Promise<void>;

export function createAttemptRecorder(store: Pick<DeliveryStore, 'recordAttempts'>): RecordAttempt {
  return createGroup<FinishedAttempt, void>({
    maxBatch: MAX_BATCH,
    work: async (batch) => {
      await store.recordAttempts(batch);
      return batch.map(() => undefined);
    },
    // A second attempt of the same delivery waits for the next write.
    keyOf: (finished) => finished.deliveryId,
  });
}
