// Expiry without a request: open challenges past their deadline become expired, with their notifications, in batches. Every
// instance runs this; each claims rows that no other holds.

import { type Backoff, createBackoff } from '../base/backoff.ts';
import { deliveriesOf } from './closing-deliveries.ts';
import { ACTIONS } from './lifecycle.ts';
import type { Custody, MakeDeliveries } from './ports.ts';
import { FAULT_PATIENCE_MS } from './settings.ts';
import type { DueChallenge, PreparedExpiry, SweepStore } from './sweep-store.ts';

/**
 * Challenges of one transaction: short enough not to hold rows for long (200 took 34 ms of one statement among ten million), large
 * enough for thousands a second.
 */
const BATCH = 100;
/** Ids in one line of the log. */
const MOST_NAMED = 10;

export interface ExpiryParts {
  readonly sweep: Pick<SweepStore, 'expireDue'>;
  readonly custody: Custody;
  readonly makeDeliveries: MakeDeliveries;
}

/**
 * Expires what is due now; answers how many this call expired. Challenges whose requests cannot be opened are left
 * alone for a while, which `backoff` remembers from call to call, and the others go on.
 * @throws AggregateError when all others are expired, where some could not be opened that never failed before
 */
export async function expireDue(parts: ExpiryParts, backoff: Backoff = createBackoff()): Promise<number> {
  let expired = 0;
  const unreadable = new Map<string, unknown>();
  // Within this call: what has failed is not claimed again, or the call would never end.
  const failed = new Set<string>();
  for (;;) {
    const except = [...new Set([...failed, ...backoff.pausing()])];
    const claim = { limit: BATCH, except, patienceMs: FAULT_PATIENCE_MS };
    const claimed = await parts.sweep.expireDue(ACTIONS.expire, claim, async (due) => {
      const prepared = await prepare(parts, due, (id, error) => {
        failed.add(id);
        if (backoff.failed(id)) unreadable.set(id, error);
      });
      expired += prepared.length;
      return prepared;
    });
    // A full batch may have more behind it.
    if (claimed < BATCH) break;
  }
  if (unreadable.size > 0) {
    const some = [...unreadable.keys()].slice(0, MOST_NAMED).join(', ');
    throw new AggregateError(
      unreadable.values(),
      `${unreadable.size} challenges cannot be expired, and are tried again later: ${some}`,
    );
  }
  return expired;
}

/** An account whose key does not open delays its own challenges, not those of others. */
async function prepare(
  parts: ExpiryParts,
  due: readonly DueChallenge[],
  onUnreadable: (challengeId: string, error: unknown) => void,
): Promise<PreparedExpiry[]> {
  const prepared = await Promise.all(
    due.map(async (challenge) => {
      try {
        return {
          challengeId: challenge.id,
          deliveries: await deliveriesOf(parts, challenge, ACTIONS.expire),
        };
      } catch (error) {
        onUnreadable(challenge.id, error);
        return null;
      }
    }),
  );
  return prepared.filter((each) => each !== null);
}
