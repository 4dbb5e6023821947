// Retention of deliveries. Those of a challenge are deleted with it; a test belongs to none.
import { repeatInBatches } from '../base/repeat-in-batches.ts';
import type { DeliveryStore } from './ports.ts';

const BATCH = 100;

/** Deletes test deliveries past the retention of results. Answers how many. Safe on several instances at once. */
export async function purgeTestDeliveries(
  store: Pick<DeliveryStore, 'purgeTests'>,
  retentionDays: number,
): Promise<number> {
  return repeatInBatches(BATCH, () => store.purgeTests(retentionDays, BATCH));
}

/** Forgets receivers that no challenge names any more, after the same time. */
export async function forgetReceivers(
  store: Pick<DeliveryStore, 'forgetReceivers'>,
  retentionDays: number,
): Promise<number> {
  return repeatInBatches(BATCH, () => store.forgetReceivers(retentionDays, BATCH));
}
