// The deliveries of a closing challenge, whatever closes it.
import type { Challenge } from './challenge.ts';
import type { Custody, MakeDeliveries, NewDelivery } from './ports.ts';
import { openRequest } from './seals.ts';

/** One for each notification that the request configures for the event; not stored yet. */
export async function deliveriesOf(
  parts: { readonly custody: Custody; readonly makeDeliveries: MakeDeliveries },
  challenge: Pick<Challenge, 'id' | 'accountId' | 'sealedRequest'>,
  event: 'complete' | 'expired',
): Promise<NewDelivery[]> {
  const { id: challengeId, accountId, sealedRequest } = challenge;
  if (!sealedRequest) return [];
  const { notifications } = await openRequest(parts.custody, challenge, sealedRequest);
  if (notifications[event].length === 0) return [];
  return parts.makeDeliveries({ accountId, challengeId, event, notifications: notifications[event] });
}
