// Keeps a process busy with deliveries: claims what is due, hands it to the deliver service, and claims again when there is
// capacity. Fairness among receivers is the claim's concern; this file decides when to claim.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import { createWakeSignal, type WakeSignal } from '../base/wake-signal.ts';
import { createCalls } from './calls.ts';
import type { Deliver } from './deliver.ts';
import type { Claim, ClaimedDelivery, DeliveryNotifier, DeliveryStore } from './ports.ts';

/** Deliveries whose time comes by itself (retries, leases of the dead) are found within this. */
const POLL_MS = 500;
/** Between two claims: gathers new deliveries and freed places into one claim under load. */
const CLAIM_PAUSE_MS = 3;
/** Between two parts of a turn that finds nothing: thousands of receivers may have deliveries whose time has not come. */
const QUIET_PAUSE_MS = 25;
/** After a claim that failed: the database is away. */
const FAULT_PAUSE_MS = 1_000;
/** Receivers heard of that one claim looks at; the next takes more. */
const MAX_NOTICED = 50;
/** Receivers heard of that are remembered: the others are found by going through all. */
const MAX_REMEMBERED = 10_000;

/** Calls that a process may have under way at once. */
export interface Places {
  /** To receivers that are not failing. */
  readonly calls: number;
  /** How many of those to receivers that have never answered, or not the last time: the rest stays for the others. */
  readonly unproven: number;
  /** To failing receivers, beside those: so many at most, however many are dead. */
  readonly failing: number;
}

export interface DispatcherParts {
  readonly store: Pick<DeliveryStore, 'claim' | 'claimFromFailing'>;
  readonly notifier: DeliveryNotifier;
  readonly deliver: Deliver;
  readonly log: Logger;
  readonly places: Places;
}

export interface Dispatcher {
  /** Claims no more and resolves when the attempts under way have ended. */
  stop(): Promise<void>;
}

export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { store, notifier, log, places } = parts;
  const ending = new AbortController();
  // Probes are due by time alone: nothing but the end wakes their loop.
  const wake = { answering: createWakeSignal(), failing: createWakeSignal() };
  const noticed = createNoticed();
  const calls = createCalls(parts, (ended) => {
    // One that was tried with one call may be back; of others it is known whether they had more.
    if (ended.standing !== 'answering' || ended.hasMore) noticed.add(ended.endpointHash);
    wake.answering.wake();
  });

  const shared = { ending: ending.signal, log, begin: calls.begin };
  const loops = [
    keepClaiming({
      ...shared,
      wake: wake.answering,
      isHeardOf: () => !noticed.isEmpty(),
      free: () => places.calls - calls.count('answering', 'unproven'),
      claim: async (free, walks, after) => {
        const heardOf = noticed.take();
        const request = {
          ...{ free, walks, after, noticed: heardOf },
          freeForUnproven: places.unproven - calls.count('unproven'),
          busy: calls.byAccount('answering', 'unproven'),
        };
        const claimed = await store.claim(request).catch((error: unknown) => {
          for (const hash of heardOf) noticed.add(hash);
          throw error;
        });
        for (const hash of claimed.unserved) noticed.add(hash);
        return claimed;
      },
    }),
    keepClaiming({
      ...shared,
      wake: wake.failing,
      free: () => places.failing - calls.count('failing'),
      claim: (free, _walks, after) =>
        store.claimFromFailing({ free, after, busy: calls.byAccount('failing') }),
    }),
  ];
  notifier.subscribe((endpointHash) => {
    if (endpointHash) noticed.add(endpointHash);
    wake.answering.wake();
  });
  return {
    stop: async () => {
      ending.abort();
      for (const signal of Object.values(wake)) signal.wake();
      await Promise.all(loops);
      await calls.allEnded();
      await notifier.close();
    },
  };
}

interface ClaimLoop {
  readonly ending: AbortSignal;
  readonly wake: WakeSignal;
  readonly log: Logger;
  readonly begin: (claimed: readonly ClaimedDelivery[]) => void;
  readonly free: () => number;
  /** Whether a claim that goes through none would find somebody to look at; without it every claim goes through all. */
  readonly isHeardOf?: () => boolean;
  /** `walks`: all receivers with waiting deliveries in turn from `after`, not only those heard of. */
  readonly claim: (free: number, walks: boolean, after: Buffer | null) => Promise<Claim>;
}

/**
 * While there is something to take, the receivers are gone through turn after turn. After a turn that found nothing,
 * only those heard of are looked at, and all of them once in a poll.
 */
async function keepClaiming(loop: ClaimLoop): Promise<void> {
  const { ending, wake, log, begin, isHeardOf, free, claim } = loop;
  let after: Buffer | null = null;
  let quietSinceMs: number | null = null;

  /** Answers how long to wait for the next claim, unless something is heard of. */
  async function claimOnce(): Promise<number> {
    const walks = !isHeardOf || quietSinceMs === null || performance.now() - quietSinceMs >= POLL_MS;
    if (!walks && !isHeardOf()) return POLL_MS;
    const from = after;
    const claimed = await claim(free(), walks, from);
    begin(claimed.deliveries);
    const found = claimed.deliveries.length > 0;
    if (!walks) return found ? 0 : POLL_MS;
    after = claimed.after;
    // A turn that began behind the first receivers has not seen them.
    const isOver = !found && from === null && after === null;
    quietSinceMs = isOver ? performance.now() : null;
    if (isOver) return POLL_MS;
    return found ? 0 : QUIET_PAUSE_MS;
  }

  while (!ending.aborted) {
    wake.reset();
    let waitMs = POLL_MS;
    try {
      if (free() > 0) waitMs = await claimOnce();
    } catch (error) {
      log.error({ err: error }, 'deliveries cannot be claimed');
      await delay(FAULT_PAUSE_MS, undefined, { signal: ending }).catch(() => {});
    }
    if (waitMs > 0) await wake.wait(waitMs);
    if (!ending.aborted) await delay(CLAIM_PAUSE_MS);
  }
}

/** Receivers with new deliveries or freed places, each once, in the order in which they were heard of. */
function createNoticed() {
  const hashes = new Map<string, Buffer>();
  return {
    add(hash: Buffer): void {
      if (hashes.size < MAX_REMEMBERED) hashes.set(hash.toString('hex'), hash);
    },
    isEmpty: () => hashes.size === 0,
    take(): Buffer[] {
      const taken = [...hashes].slice(0, MAX_NOTICED);
      for (const [key] of taken) hashes.delete(key);
      return taken.map(([, hash]) => hash);
    },
  };
}
