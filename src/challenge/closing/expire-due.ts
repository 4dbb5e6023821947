// Expiry without a request: in batches, open challenges past their deadline become expired and their notifications are
// queued. Every instance runs this and claims rows that no other holds.

import { type Backoff, createBackoff } from '../../base/backoff.ts';
import type { Custody } from '../../keys/account-keys.ts';
import { ACTIONS } from '../lifecycle.ts';
import { FAULT_PATIENCE_MS } from '../settings.ts';
import type { DueChallenge, PreparedExpiry, SweepStore } from '../tables/sweep-store.ts';
import { deliveriesOf } from './deliveries.ts';

/**
 * Challenges per transaction: few enough not to hold rows for long (200 took 34 ms of one statement among ten million),
 * enough for thousands a second.
 */
const BATCH = 100;
/** Most ids named in one log line. */
const MAX_NAMED = 10;

export interface ExpiryParts {
  readonly sweep: Pick<SweepStore, 'expireDue'>;
  readonly custody: Custody;
}

/**
 * Expires what is due now; resolves with the number that this call expired. Challenges whose requests cannot be opened
 * are skipped for a while, as `backoff` remembers between calls, and do not hold up the others.
 * @throws AggregateError after all others are expired, if some challenges could not be opened for the first time
 */
export async function expireDue(parts: ExpiryParts, backoff: Backoff = createBackoff()): Promise<number> {
  let expired = 0;
  const unreadable = new Map<string, unknown>();
  // A challenge that failed in this call is not claimed again, or the call would never end.
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
    // After a full batch, more may be due.
    if (claimed < BATCH) break;
  }
  if (unreadable.size > 0) {
    const some = [...unreadable.keys()].slice(0, MAX_NAMED).join(', ');
    throw new AggregateError(
      unreadable.values(),
      `${unreadable.size} challenges could not be expired and will be retried later: ${some}`,
    );
  }
  return expired;
}

/** Makes the deliveries. An account whose key cannot be opened delays its own challenges, not those of others. */
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
