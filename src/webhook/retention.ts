// Retention of deliveries. A challenge's deliveries are deleted with it; test deliveries belong to none.
import { repeatInBatches } from '../base/repeat-in-batches.ts';
import type { DeliveryStore } from './tables/store.ts';

const BATCH = 100;

/**
 * Deletes test deliveries past the retention of results. Resolves with the count. Safe on several instances at once.
 */
export async function purgeTestDeliveries(
  store: Pick<DeliveryStore, 'purgeTests'>,
  retentionDays: number,
): Promise<number> {
  return repeatInBatches(BATCH, () => store.purgeTests(retentionDays, BATCH));
}

/** Deletes the records of receivers that have been unused for the same time. Resolves with the count. */
export async function forgetReceivers(
  store: Pick<DeliveryStore, 'forgetReceivers'>,
  retentionDays: number,
): Promise<number> {
  return repeatInBatches(BATCH, () => store.forgetReceivers(retentionDays, BATCH));
}
