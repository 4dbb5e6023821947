// Keeps a process busy with deliveries: claims what is due, hands it to the deliver service, and claims again when
// there is capacity. The claim itself takes care of fairness among receivers; this file decides when to claim.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import { createWakeSignal } from '../base/wake-signal.ts';
import type { Deliver } from './deliver.ts';
import type { DeliveryNotifier } from './tables/notifier.ts';
import type { DeliveryStore, StoredDelivery } from './tables/store.ts';

/**
 * Concurrent calls to receivers per process. A hanging call costs about 60 kB (measured: 63, with both ends in one
 * process) and a socket. Allowing this many is cheaper than a time limit that cuts off slow receivers.
 */
const MAX_CALLS = 768;
/** Most deliveries per claim: they are read together, so the first waits for the last. */
const MAX_CLAIMED = 64;
/** Deliveries that become due without a notice (retries, leases of dead processes) are found within this time. */
const POLL_MS = 1_000;
/** Pause between two claims, so that under load one claim takes several new deliveries and freed places. */
const CLAIM_PAUSE_MS = 20;
/** Pause after a claim that found nothing, unless a call ends: every notice wakes all processes, and one is enough. */
const IDLE_PAUSE_MS = 100;
/** Pause after a claim that failed, because the database is unavailable. */
const FAULT_PAUSE_MS = 1_000;

export interface DispatcherParts {
  readonly store: Pick<DeliveryStore, 'claim'>;
  readonly notifier: DeliveryNotifier;
  readonly deliver: Deliver;
  readonly log: Logger;
}

export interface Dispatcher {
  /** Stops claiming and resolves when the attempts in progress have ended. */
  stop(): Promise<void>;
}

export function startDispatcher({ store, notifier, deliver, log }: DispatcherParts): Dispatcher {
  const ending = new AbortController();
  const wake = createWakeSignal();
  const freed = createWakeSignal();
  const calls = new Set<Promise<void>>();

  function begin(claimed: readonly StoredDelivery[]): void {
    deliver(claimed).forEach((attempting, index) => {
      const call = attempting
        .then(() => {})
        // The lease expires and the attempt is made again.
        .catch((error: unknown) =>
          log.error({ err: error, deliveryId: claimed[index]!.id }, 'a delivery attempt failed unexpectedly'),
        )
        .finally(() => {
          calls.delete(call);
          freed.wake();
          wake.wake();
        });
      calls.add(call);
    });
  }

  /** Resolves with how many deliveries it found. */
  async function claimOnce(): Promise<number> {
    const free = Math.min(MAX_CALLS - calls.size, MAX_CLAIMED);
    if (free === 0) return 0;
    try {
      const claimed = await store.claim(free);
      begin(claimed);
      return claimed.length;
    } catch (error) {
      log.error({ err: error }, 'deliveries cannot be claimed');
      await delay(FAULT_PAUSE_MS, undefined, { signal: ending.signal }).catch(() => {});
      return 0;
    }
  }

  async function keepClaiming(): Promise<void> {
    while (!ending.signal.aborted) {
      freed.reset();
      wake.reset();
      const found = await claimOnce();
      await delay(CLAIM_PAUSE_MS);
      if (found > 0) continue;
      await freed.wait(IDLE_PAUSE_MS);
      await wake.wait(POLL_MS);
    }
  }

  const claiming = keepClaiming();
  notifier.subscribe(wake.wake);
  return {
    stop: async () => {
      ending.abort();
      freed.wake();
      wake.wake();
      await claiming;
      await Promise.all(calls);
      await notifier.close();
    },
  };
}
