// What this room needs from the others: the delivery tables, challenge payloads, an account's signing secrets, and
// custody of secrets. src/storage, src/challenge and src/keys provide them; src/composition wires them together.

import type { AttemptOutcome, DeliveryEvent } from '../contract/delivery.ts';
import type { ChallengeResult } from '../contract/result.ts';
import type { DeliveryStatus } from '../contract/states.ts';
import type { Custody, KeyHolder } from '../keys/account-keys.ts';
import type { NewDelivery } from './new-delivery.ts';

export type { Custody, KeyHolder, NewDelivery };

/** A delivery as stored. */
export interface StoredDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  /** Whose key seals it: the challenge's, or the account's for a test. */
  readonly holder: KeyHolder;
  readonly event: DeliveryEvent;
  readonly sealedEndpoint: Buffer;
  readonly endpointHash: Buffer;
  readonly status: DeliveryStatus;
  /** Attempts finished in this run of the retry schedule; a redelivery begins a new run. */
  readonly scheduleStep: number;
  readonly createdAt: Date;
  /** When the next attempt is due, or when the one in progress was. */
  readonly nextAttemptAt: Date | null;
  readonly finishedAt: Date | null;
}

/** One finished attempt. */
export interface AttemptRecord {
  readonly at: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly outcome: AttemptOutcome;
  /** Beginning of the answer, sealed with the delivery's key because a receiver may echo the payload. */
  readonly sealedExcerpt: Buffer | null;
}

/** What follows for a delivery after an attempt. */
export type NextStep =
  | { readonly status: 'delivered' }
  | { readonly status: 'failed' }
  | { readonly status: 'pending'; readonly delayMs: number };

/** A finished attempt, the step of the schedule at which it counts, and what follows. */
export interface FinishedAttempt {
  readonly deliveryId: string;
  /** The delivery's `scheduleStep` when the attempt began. */
  readonly step: number;
  readonly attempt: AttemptRecord;
  readonly next: NextStep;
  /** Whether the receiver is alive: it answered with a status below 500. */
  readonly answered: boolean;
}

/** The filter of an operator's list of deliveries. */
export interface DeliveryQuery {
  readonly accountId?: string;
  readonly challengeId?: string;
  readonly status?: DeliveryStatus;
  readonly limit: number;
}

/** What became of a request to send a delivery again. */
export type Requeue = 'requeued' | 'not_found' | 'not_repeatable';

export type OperatorRequeue =
  | { readonly status: 'requeued'; readonly accountId: string }
  | { readonly status: Exclude<Requeue, 'requeued'> };

/** The delivery tables. Every method is one transaction; times are the database's. */
export interface DeliveryStore {
  /**
   * Claims at most `limit` due deliveries, each under a lease. While the lease lasts, nobody else claims the delivery;
   * the lease of a dead process expires. Receivers and accounts take turns, within the caps on their calls in all
   * processes; a receiver that fails gets one call at a time, after a pause.
   */
  claim(limit: number): Promise<StoredDelivery[]>;
  /**
   * Records attempts together with what follows, all or none. `finished` holds each delivery at most once. A delivery
   * that was cancelled, erased or delivered meanwhile stays so. A failure changes the schedule only if `step` is still
   * the delivery's current step, so that it does not undo a redelivery requested meanwhile. What the attempts say about
   * their receivers is written with them.
   */
  recordAttempts(finished: readonly FinishedAttempt[]): Promise<void>;
  /** Cancels a pending delivery whose challenge no longer has a payload. */
  cancel(deliveryId: string): Promise<void>;
  /** Makes a delivery pending and due now, even if its receiver is failing, with a new run of the schedule. */
  requeue(accountId: string, deliveryId: string): Promise<Requeue>;
  /** The same for an operator, who need not know the account, with a line in the audit log. */
  requeueForOperator(deliveryId: string, operator: string): Promise<OperatorRequeue>;
  /** Inserts a test delivery that is already finished, with its only attempt. */
  insertFinished(delivery: NewDelivery, attempt: AttemptRecord, answered: boolean): Promise<void>;
  /**
   * Deletes at most `limit` test deliveries that finished longer ago than this, with their attempts. Resolves with the
   * count.
   */
  purgeTests(olderThanDays: number, limit: number): Promise<number>;
  /**
   * Deletes receivers whose record has not changed for longer than this and that have no pending deliveries. Resolves
   * with the count.
   */
  forgetReceivers(olderThanDays: number, limit: number): Promise<number>;
  /** Deliveries of one challenge in order of creation, each with its latest attempts, oldest first. */
  listByChallenge(accountId: string, challengeId: string): Promise<DeliveryWithAttempts[]>;
  /** Newest first, of every account unless one is named. */
  list(query: DeliveryQuery): Promise<DeliveryWithAttempts[]>;
  find(accountId: string, deliveryId: string): Promise<DeliveryWithAttempts | null>;
  /** For operators: those of these deliveries that exist, of any account. */
  findAny(deliveryIds: readonly string[]): Promise<StoredDelivery[]>;
}

/** Tells when deliveries may have become due in any process. */
export interface DeliveryNotifier {
  /** Calls back when there are new deliveries, and whenever the database connection is restored. */
  subscribe(onNotice: () => void): void;
  close(): Promise<void>;
}

export interface DeliveryWithAttempts {
  readonly delivery: StoredDelivery;
  readonly attempts: readonly AttemptRecord[];
}

/** The challenge room's view for webhooks. */
export interface PayloadSource {
  /** The result objects with fresh asset links, in order; `gone` if the challenge was erased, purged or cancelled. */
  payloads(
    challenges: readonly { accountId: string; challengeId: string }[],
  ): Promise<({ status: 'ready'; result: ChallengeResult } | { status: 'gone' })[]>;
}

/** The account's webhook secrets. */
export interface SigningSecrets {
  /** Secrets in force, newest first, `whsec_…` (Standard Webhooks); several while one is being rotated. */
  inForce(accountId: string): Promise<readonly string[]>;
}
