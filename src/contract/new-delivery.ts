// What the challenge room and the webhook room share: the deliveries of a closing challenge. The webhook room makes
// them, the challenge room hands them to the transaction that closes.
import type { NotificationConfiguration } from './challenge-request.ts';
import type { DeliveryEvent } from './delivery.ts';
import type { NotificationEvent } from './states.ts';

/** A delivery row to be inserted by the transaction that closes a challenge. */
export interface NewDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly event: DeliveryEvent;
  /** Position in `notifications.complete` or `.expired`: with challenge and event it makes the delivery unique. */
  readonly endpointIndex: number;
  /** Notification configuration with its client secret, sealed under the challenge's key; a test's under its account's. */
  readonly sealedEndpoint: Buffer;
  /** Account-keyed fingerprint of the endpoint's origin: groups attempts by receiver without naming it. */
  readonly endpointHash: Buffer;
}

/** Makes the delivery rows of a closing challenge: one per configured notification of the event. */
export type MakeDeliveries = (closing: {
  challengeId: string;
  /** Account and key of the challenge. */
  holder: { readonly accountId: string; readonly erasureKey: Uint8Array };
  event: NotificationEvent;
  notifications: readonly NotificationConfiguration[];
}) => Promise<NewDelivery[]>;
