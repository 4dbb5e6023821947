// Expiry by itself: open challenges whose deadline has come become expired, with their notifications, in batches. Every
// instance runs this; each claims rows that no other holds.

import { deliveriesOf } from './closing-deliveries.ts';
import { ACTIONS } from './lifecycle.ts';
import type { SettlementParts } from './parts.ts';
import type { MakeDeliveries } from './ports.ts';
import type { DueChallenge, PreparedExpiry, SweepStore } from './store.ts';

/** Challenges of one transaction: short enough not to hold rows for long, large enough for thousands a second. */
const BATCH = 200;

export interface ExpiryParts {
  readonly sweep: Pick<SweepStore, 'expireDue'>;
  readonly custody: SettlementParts<unknown>['custody'];
  readonly makeDeliveries: MakeDeliveries;
}

/**
 * Expires what is due now; answers how many this call expired.
 * @throws AggregateError when all others are expired, where the requests of some could not be opened
 */
export async function expireDue(parts: ExpiryParts): Promise<number> {
  let expired = 0;
  const unreadable = new Map<string, unknown>();
  for (;;) {
    const claim = { limit: BATCH, except: [...unreadable.keys()] };
    const claimed = await parts.sweep.expireDue(ACTIONS.expire, claim, async (due) => {
      const prepared = await prepare(parts, due, unreadable);
      expired += prepared.length;
      return prepared;
    });
    // A full batch may have more behind it.
    if (claimed < BATCH) break;
  }
  if (unreadable.size > 0) {
    throw new AggregateError(unreadable.values(), `${unreadable.size} challenges cannot be expired`);
  }
  return expired;
}

/** An account whose key is broken holds up its own challenges, not those of the others. */
async function prepare(
  parts: ExpiryParts,
  due: readonly DueChallenge[],
  unreadable: Map<string, unknown>,
): Promise<PreparedExpiry[]> {
  const prepared = await Promise.all(
    due.map(async (challenge) => {
      try {
        return {
          challengeId: challenge.id,
          deliveries: await deliveriesOf(parts, challenge, ACTIONS.expire),
        };
      } catch (error) {
        unreadable.set(challenge.id, error);
        return null;
      }
    }),
  );
  return prepared.filter((each) => each !== null);
}
