// What this room needs of the others: the delivery tables, the payload of a challenge, the signing secrets of an
// account, and custody of secrets. src/storage, src/challenge and src/keys provide them; src/composition joins them.

import type { NotificationConfiguration } from '../contract/challenge-request.ts';
import type { AttemptOutcome, DeliveryEvent, DeliveryStatus } from '../contract/delivery.ts';
import type { ChallengeResult } from '../contract/result.ts';
import type { Custody } from '../keys/account-keys.ts';

export type { Custody };

/** A delivery row to be inserted by the transaction that closes a challenge. */
export interface NewDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly event: DeliveryEvent;
  /** Position in `notifications.complete` or `.expired`: with challenge and event it makes the delivery unique. */
  readonly endpointIndex: number;
  /** Notification configuration with its client secret, sealed under the account's key. */
  readonly sealedEndpoint: Buffer;
  /** Account-keyed fingerprint of the endpoint's origin: groups attempts by receiver without naming it. */
  readonly endpointHash: Buffer;
}

/**
 * Makes the delivery rows of a closing challenge: one per configured notification of the event. The challenge room
 * declares the same type in its own ports.
 */
export type MakeDeliveries = (closing: {
  accountId: string;
  challengeId: string;
  event: 'complete' | 'expired';
  notifications: readonly NotificationConfiguration[];
}) => Promise<NewDelivery[]>;

/** A delivery as the store holds it. */
export interface StoredDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly event: DeliveryEvent;
  readonly sealedEndpoint: Buffer;
  readonly endpointHash: Buffer;
  readonly status: DeliveryStatus;
  /** Attempts finished in this run of the retry schedule; a redelivery begins a new run. */
  readonly scheduleStep: number;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly finishedAt: Date | null;
}

/** One finished attempt. */
export interface AttemptRecord {
  readonly at: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly outcome: AttemptOutcome;
  /** Beginning of the answer under the account's key: a receiver may echo the payload. */
  readonly sealedExcerpt: Buffer | null;
}

/** What becomes of a delivery after an attempt. */
export type NextStep =
  | { readonly status: 'delivered' }
  | { readonly status: 'failed' }
  | { readonly status: 'pending'; readonly delayMs: number };

/** The delivery tables. Every method is one transaction; times are the database's. */
export interface DeliveryStore {
  /** The delivery with whether its time has come; null when there is none (erased). */
  load(deliveryId: string): Promise<{ delivery: StoredDelivery; due: boolean } | null>;
  /**
   * Records an attempt together with what follows: final status, or next time and its job. A delivery that was
   * cancelled or erased meanwhile stays so; one that was delivered meanwhile stays delivered. A failure changes the
   * schedule only while `step` is the delivery's own: a redelivery asked for meanwhile is not undone by it.
   * @param step the delivery's `scheduleStep` when the attempt began
   */
  recordAttempt(deliveryId: string, step: number, attempt: AttemptRecord, next: NextStep): Promise<void>;
  /** Puts a pending delivery off without counting an attempt (its receiver has its full share of calls). */
  defer(deliveryId: string, delayMs: number): Promise<void>;
  /** Ends a pending delivery whose challenge has no payload any more. */
  cancel(deliveryId: string): Promise<void>;
  /** Makes a delivery pending and due now, with a new run of the schedule. */
  requeue(accountId: string, deliveryId: string): Promise<'requeued' | 'notFound' | 'notRepeatable'>;
  /**
   * Gives a new job to pending deliveries that are late by more than `lateMs` and have none (a job given up after many
   * faults of our own, a race inside the queue). For a sweep of every instance, about once a minute; answers how many.
   */
  requeueStranded(lateMs: number): Promise<number>;
  /** Inserts a test delivery that is finished already, with its one attempt. */
  insertFinished(delivery: NewDelivery, attempt: AttemptRecord): Promise<void>;
  /** Deliveries of one challenge in order of creation, each with its latest attempts, oldest first. */
  listByChallenge(accountId: string, challengeId: string): Promise<DeliveryWithAttempts[]>;
  find(accountId: string, deliveryId: string): Promise<DeliveryWithAttempts | null>;
}

export interface DeliveryWithAttempts {
  readonly delivery: StoredDelivery;
  readonly attempts: readonly AttemptRecord[];
}

/** The challenge room's view for webhooks. */
export interface PayloadSource {
  /** The result object with fresh asset links; `gone` when the challenge was erased, purged or cancelled. */
  payload(
    accountId: string,
    challengeId: string,
  ): Promise<{ status: 'ready'; result: ChallengeResult } | { status: 'gone' }>;
}

/** The account's webhook secrets. */
export interface SigningSecrets {
  /** Secrets in force, newest first, `whsec_…` (Standard Webhooks); several while one is being rotated. */
  inForce(accountId: string): Promise<readonly string[]>;
}
