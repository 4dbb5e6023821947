// A delivery to be written. endpoint.ts makes it; the transaction that closes its challenge, or a test, inserts it.
import type { DeliveryEvent } from '../contract/delivery.ts';

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
  /** The same of origin and path: what an operator knows as a receiver. */
  readonly addressHash: Buffer;
}
