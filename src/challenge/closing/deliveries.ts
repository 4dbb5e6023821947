// The deliveries of a challenge that closes, for whatever reason.
import type { Custody } from '../../keys/account-keys.ts';
import { makeDeliveries } from '../../webhook/endpoint.ts';
import type { NewDelivery } from '../../webhook/new-delivery.ts';
import type { Challenge, ChallengePlace } from '../challenge.ts';
import type { NotifyingAction } from '../lifecycle.ts';
import { detailsOf, openRequest } from '../seals.ts';

/** Makes one delivery for each notification that the request configures for the action's event. Stores nothing. */
export async function deliveriesOf(
  { custody }: { readonly custody: Custody },
  challenge: ChallengePlace & Pick<Challenge, 'sealedRequest'>,
  { does: { notifies: event } }: NotifyingAction,
): Promise<NewDelivery[]> {
  const { [event]: notifications = [] } = (await openRequest(custody, challenge)).notifications;
  if (notifications.length === 0) return [];
  return makeDeliveries(custody, {
    challengeId: challenge.id,
    holder: detailsOf(challenge),
    event,
    notifications,
  });
}
