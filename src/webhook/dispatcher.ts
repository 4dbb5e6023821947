// Keeps a process busy with deliveries: claims what is due, hands it to the deliver service, and claims again when
// there is capacity. The claim itself takes care of fairness among receivers; this file decides when to claim.
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import { createWakeSignal, type WakeSignal } from '../base/wake-signal.ts';
import { createCalls } from './calls.ts';
import type { Deliver } from './deliver.ts';
import type { Claim, ClaimedDelivery, DeliveryNotifier, DeliveryStore } from './ports.ts';

/** Deliveries that become due without a notice (retries, leases of dead processes) are found within this time. */
const POLL_MS = 500;
/** Pause between two claims, so that under load one claim takes several new deliveries and freed places. */
const CLAIM_PAUSE_MS = 3;
/**
 * Pause between two parts of a turn that finds nothing: thousands of receivers may have deliveries that are not due.
 */
const QUIET_PAUSE_MS = 25;
/** Pause after a claim that failed, because the database is unavailable. */
const FAULT_PAUSE_MS = 1_000;
/** Most noticed receivers that one claim looks at; the next claim takes more. */
const MAX_NOTICED = 50;
/** Most noticed receivers that are remembered; the others are found by walking through all. */
const MAX_REMEMBERED = 10_000;

/** Calls that a process may have in progress at once. */
export interface Places {
  /** To receivers that are not failing. */
  readonly calls: number;
  /**
   * How many of those may go to receivers that never answered, or not the last time. The rest is kept for the others.
   */
  readonly unproven: number;
  /** To failing receivers, in addition to those: at most this many, however many receivers are dead. */
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
  /** Stops claiming and resolves when the attempts in progress have ended. */
  stop(): Promise<void>;
}

export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { store, notifier, log, places } = parts;
  const ending = new AbortController();
  // Only time makes probes of failing receivers due, so nothing but `stop` wakes their loop.
  const wake = { answering: createWakeSignal(), failing: createWakeSignal() };
  const noticed = createNoticed();
  const calls = createCalls(parts, (ended) => {
    // A receiver tried with a single call may be back. For answering ones it is known whether they had more.
    if (ended.standing !== 'answering' || ended.hasMore) noticed.add(ended.endpointHash);
    wake.answering.wake();
  });

  const shared = { ending: ending.signal, log, begin: calls.begin };
  const loops = [
    keepClaiming({
      ...shared,
      wake: wake.answering,
      hasNoticed: () => !noticed.isEmpty(),
      free: () => places.calls - calls.count('answering', 'unproven'),
      claim: async (free, walks, after) => {
        const taken = noticed.take();
        const request = {
          ...{ free, walks, after, noticed: taken },
          freeForUnproven: places.unproven - calls.count('unproven'),
          busy: calls.byAccount('answering', 'unproven'),
        };
        const claimed = await store.claim(request).catch((error: unknown) => {
          for (const hash of taken) noticed.add(hash);
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
  /** Whether there are noticed receivers, for which a claim need not walk through all. Absent: every claim walks. */
  readonly hasNoticed?: () => boolean;
  /** `walks`: looks at all receivers with waiting deliveries, in turn from `after`, not only at noticed ones. */
  readonly claim: (free: number, walks: boolean, after: Buffer | null) => Promise<Claim>;
}

/**
 * While there is something to claim, walks through the receivers turn after turn. After a turn that found nothing,
 * looks only at noticed receivers, and at all of them once per poll interval.
 */
async function keepClaiming(loop: ClaimLoop): Promise<void> {
  const { ending, wake, log, begin, hasNoticed, free, claim } = loop;
  let after: Buffer | null = null;
  let quietSinceMs: number | null = null;

  /** Resolves with how long to wait before the next claim, in ms; a wake-up ends the wait. */
  async function claimOnce(): Promise<number> {
    const walks = !hasNoticed || quietSinceMs === null || performance.now() - quietSinceMs >= POLL_MS;
    if (!walks && !hasNoticed()) return POLL_MS;
    const from = after;
    const claimed = await claim(free(), walks, from);
    begin(claimed.deliveries);
    const found = claimed.deliveries.length > 0;
    if (!walks) return found ? 0 : POLL_MS;
    after = claimed.after;
    // A turn that did not start from the beginning has not seen the first receivers.
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

/** Receivers with new deliveries or freed places, each once, in the order in which they were noticed. */
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
