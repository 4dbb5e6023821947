// The chore that gives late deliveries a job again: the second net below the transaction that writes row and job.
import type { DeliveryStore } from '../webhook/ports.ts';
import type { Chore } from './sweep.ts';

/** Far above the second within which a waiting job is taken; a job under way counts as one. */
const LATE_MS = 60_000;

export function strandedDeliveries(store: Pick<DeliveryStore, 'requeueStranded'>): Chore {
  return {
    name: 'requeue stranded deliveries',
    everyMs: 60_000,
    run: () => store.requeueStranded(LATE_MS),
  };
}
