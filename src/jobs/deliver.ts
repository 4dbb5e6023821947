// The `deliver` task: one job is one attempt of one delivery. What comes next is written by the delivery itself, in
// the transaction that records the attempt; a job that throws is run again by the queue.
import type { Deliver } from '../webhook/deliver.ts';

/** Name of the task in the queue, and the payload that src/storage writes for it. */
export const DELIVER_TASK = 'deliver';
export interface DeliverJob {
  readonly delivery_id: string;
}

/**
 * Deliveries that one process has under way at once. Attempts wait on other people's servers, so there are many of
 * them; run them apart from the judge jobs, which fill the processor.
 */
export const DELIVER_CONCURRENCY = 32;

/** Makes the task. A payload that is none was written by something else: the job ends and stays visible as a failure. */
export function createDeliverTask(deliver: Deliver): (payload: unknown) => Promise<void> {
  return async (payload) => {
    await deliver((payload as DeliverJob).delivery_id);
  };
}
