// Expiry by itself: open challenges whose deadline has come become expired, with their notifications, in batches. Every
// instance runs this; the store's compare-and-set lets each challenge through once.

import { ACTIONS } from './lifecycle.ts';
import type { SettlementParts } from './parts.ts';
import type { MakeDeliveries, NewDelivery } from './ports.ts';
import { openRequest } from './seals.ts';
import type { DueChallenge, SweepStore } from './store.ts';

/** Challenges of one transaction: short enough not to hold rows for long, large enough for thousands a second. */
const BATCH = 200;

export interface ExpiryParts {
  readonly sweep: Pick<SweepStore, 'listDue' | 'expire'>;
  readonly custody: SettlementParts<unknown>['custody'];
  readonly makeDeliveries: MakeDeliveries;
}

/** Expires what is due now; answers how many this call expired. */
export async function expireDue(parts: ExpiryParts): Promise<number> {
  let expired = 0;
  for (;;) {
    const due = await parts.sweep.listDue(BATCH);
    if (due.length === 0) return expired;
    // The sealing comes before the transaction: no row is locked while keys are read.
    const batch = await Promise.all(
      due.map(async (challenge) => ({
        challengeId: challenge.id,
        deliveries: await deliveriesOf(parts, challenge),
      })),
    );
    const done = await parts.sweep.expire(ACTIONS.expire, batch);
    expired += done;
    // A full batch may have more behind it; one that others hold comes round again at the next sweep.
    if (due.length < BATCH || done === 0) return expired;
  }
}

async function deliveriesOf(parts: ExpiryParts, challenge: DueChallenge): Promise<NewDelivery[]> {
  if (!challenge.sealedRequest) return [];
  const { notifications } = await openRequest(parts.custody, challenge, challenge.sealedRequest);
  if (notifications.expired.length === 0) return [];
  const { accountId, id: challengeId } = challenge;
  return parts.makeDeliveries({
    accountId,
    challengeId,
    event: 'expired',
    notifications: notifications.expired,
  });
}
