// Keeps a process's places filled with deliveries: claims what is due, hands it to the deliver service, claims again
// when places are free. Fairness among receivers lies in the claim; this is its rhythm.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import type { Deliver } from './deliver.ts';
import type { Claim, DeliveryBell, DeliveryStore, StoredDelivery } from './ports.ts';

/** Deliveries whose time comes by itself (retries, leases of the dead) are found within this. */
const POLL_MS = 500;
/** Between two claims: gathers new deliveries and freed places into one claim under load. */
const CLAIM_PAUSE_MS = 3;
/** After a claim that failed: the database is away. */
const FAULT_PAUSE_MS = 1_000;

export interface DispatcherParts {
  readonly store: Pick<DeliveryStore, 'claim'>;
  readonly bell: DeliveryBell;
  readonly deliver: Deliver;
  readonly log: Logger;
  /** Calls under way at once in this process. */
  readonly capacity: number;
}

export interface Dispatcher {
  /** Claims no more and resolves when the attempts under way have ended. */
  stop(): Promise<void>;
}

export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const wakening = createWakening();
  const underWay = new Set<Promise<void>>();
  let retriesUnderWay = 0;
  let stopping = false;

  function begin(claimed: readonly StoredDelivery[]): void {
    parts.deliver(claimed).forEach((attempting, index) => {
      const { id: deliveryId, scheduleStep } = claimed[index]!;
      const retries = scheduleStep > 0 ? 1 : 0;
      retriesUnderWay += retries;
      const ended: Promise<void> = attempting
        .then(() => {})
        // The lease runs out and the attempt is made again.
        .catch((error: unknown) => parts.log.error({ err: error, deliveryId }, 'a delivery broke off'))
        .finally(() => {
          underWay.delete(ended);
          retriesUnderWay -= retries;
          wakening.wake();
        });
      underWay.add(ended);
    });
  }

  async function claim(after: Buffer | null): Promise<Claim> {
    const free = parts.capacity - underWay.size;
    // Half of the places stay for first attempts, however many receivers are dead.
    const freeForRetries = Math.max(0, Math.ceil(parts.capacity / 2) - retriesUnderWay);
    const claimed = await parts.store.claim({ free, freeForRetries, after });
    begin(claimed.deliveries);
    return claimed;
  }

  async function run(): Promise<void> {
    let after: Buffer | null = null;
    while (!stopping) {
      wakening.reset();
      let again = false;
      try {
        if (underWay.size < parts.capacity) {
          const claimed = await claim(after);
          after = claimed.after;
          again = claimed.deliveries.length > 0 || claimed.after !== null;
        }
      } catch (error) {
        parts.log.error({ err: error }, 'deliveries cannot be claimed');
        await Promise.race([delay(FAULT_PAUSE_MS), wakening.stopped]);
      }
      if (!again) await wakening.wait(POLL_MS);
      if (!stopping) await delay(CLAIM_PAUSE_MS);
    }
  }

  parts.bell.listen(wakening.wake);
  const running = run();
  return {
    stop: async () => {
      stopping = true;
      wakening.stop();
      await running;
      await Promise.all(underWay);
      await parts.bell.close();
    },
  };
}

/** A latch that many may open and one waits at. */
function createWakening() {
  let open = false;
  let resolveWait: () => void = () => {};
  let resolveStopped: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    resolveStopped = resolve;
  });
  const wake = () => {
    open = true;
    resolveWait();
  };
  return {
    stopped,
    wake,
    stop: () => {
      resolveStopped();
      wake();
    },
    /** Forgets earlier calls; one that comes from now on is kept for the next wait. */
    reset: () => {
      open = false;
    },
    wait: (timeoutMs: number): Promise<void> =>
      new Promise((resolve) => {
        if (open) return resolve();
        const timer = setTimeout(resolve, timeoutMs);
        resolveWait = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
