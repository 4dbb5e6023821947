// What src/challenge and src/webhook share: the deliveries of a challenge that closes. src/webhook makes them, and
// src/challenge passes them to the transaction that closes the challenge.
import type { NotificationConfiguration } from './challenge-request.ts';
import type { DeliveryEvent } from './delivery.ts';
import type { NotificationEvent } from './states.ts';

/** A delivery row that the transaction closing a challenge inserts. */
export interface NewDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly event: DeliveryEvent;
  /** Position in `notifications.complete` or `.expired`. Unique together with challenge and event. */
  readonly endpointIndex: number;
  /**
   * Notification configuration with its client secret, sealed under the challenge's key, or a test's under its
   * account's.
   */
  readonly sealedEndpoint: Buffer;
  /** Fingerprint of the endpoint's origin, keyed by account: groups attempts by receiver without naming it. */
  readonly endpointHash: Buffer;
}

/** Makes the delivery rows of a closing challenge: one per configured notification of the event. */
export type MakeDeliveries = (closing: {
  challengeId: string;
  /** Account and erasure key of the challenge. */
  holder: { readonly accountId: string; readonly erasureKey: Uint8Array };
  event: NotificationEvent;
  notifications: readonly NotificationConfiguration[];
}) => Promise<NewDelivery[]>;
