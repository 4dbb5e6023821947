// What this room needs of the others: the delivery tables, the payload of a challenge, the signing secrets of an
// account, and custody of secrets. src/storage, src/challenge and src/keys provide them; src/composition joins them.

import type { AttemptOutcome, DeliveryEvent, DeliveryStatus } from '../contract/delivery.ts';
import type { MakeDeliveries, NewDelivery } from '../contract/new-delivery.ts';
import type { ChallengeResult } from '../contract/result.ts';
import type { Custody, KeyHolder } from '../keys/account-keys.ts';

export type { Custody, KeyHolder, MakeDeliveries, NewDelivery };

/** A delivery as the store holds it. */
export interface StoredDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  /** Whose key seals it: its challenge's; a test's, its account's. */
  readonly holder: KeyHolder;
  readonly event: DeliveryEvent;
  readonly sealedEndpoint: Buffer;
  readonly endpointHash: Buffer;
  readonly status: DeliveryStatus;
  /** Attempts finished in this run of the retry schedule; a redelivery begins a new run. */
  readonly scheduleStep: number;
  readonly createdAt: Date;
  /** When the next attempt is due, or the one under way was. */
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

/** A finished attempt with the place where it counts and what follows it. */
export interface FinishedAttempt {
  readonly deliveryId: string;
  /** The delivery's `scheduleStep` when the attempt began. */
  readonly step: number;
  readonly attempt: AttemptRecord;
  readonly next: NextStep;
}

/** How much a process can take up now. */
export interface ClaimRequest {
  /** Calls that it can still start; also the most that any one receiver may have under way in all processes. */
  readonly free: number;
  /** How many of them may be attempts after a failed one. */
  readonly freeForRetries: number;
  /** Where the turn of the receivers goes on; null begins anew. */
  readonly after: Buffer | null;
}

export interface Claim {
  readonly deliveries: readonly StoredDelivery[];
  /** Where the next claim goes on; null when every receiver has had its turn. */
  readonly after: Buffer | null;
}

/** Which deliveries an operator asks for. */
export interface DeliveryQuery {
  readonly accountId?: string;
  readonly challengeId?: string;
  readonly status?: DeliveryStatus;
  readonly limit: number;
}

/** The delivery tables. Every method is one transaction; times are the database's. */
export interface DeliveryStore {
  /**
   * Takes due deliveries, receivers in turn, each under a lease: while it lasts nobody else takes them; a process that
   * dies lets it run out. Takes at most half of the free places at a time, so that those of the next receiver remain.
   */
  claim(request: ClaimRequest): Promise<Claim>;
  /**
   * Records attempts together with what follows, all or none; each delivery at most once. A delivery that was cancelled
   * or erased meanwhile stays so; one that was delivered meanwhile stays delivered. A failure changes the schedule only
   * while `step` is the delivery's own: a redelivery asked for meanwhile is not undone by it.
   */
  recordAttempts(finished: readonly FinishedAttempt[]): Promise<void>;
  /** Ends a pending delivery whose challenge has no payload any more. */
  cancel(deliveryId: string): Promise<void>;
  /** Makes a delivery pending and due now, with a new run of the schedule. */
  requeue(accountId: string, deliveryId: string): Promise<'requeued' | 'notFound' | 'notRepeatable'>;
  /** Inserts a test delivery that is finished already, with its one attempt. */
  insertFinished(delivery: NewDelivery, attempt: AttemptRecord): Promise<void>;
  /** Deletes test deliveries finished longer than this ago, with their attempts: at most `limit`; answers how many. */
  purgeTests(olderThanDays: number, limit: number): Promise<number>;
  /** Deliveries of one challenge in order of creation, each with its latest attempts, oldest first. */
  listByChallenge(accountId: string, challengeId: string): Promise<DeliveryWithAttempts[]>;
  /** Newest first, of every account unless one is named. */
  list(query: DeliveryQuery): Promise<DeliveryWithAttempts[]>;
  find(accountId: string, deliveryId: string): Promise<DeliveryWithAttempts | null>;
  /** A delivery by its id alone, for operators. */
  accountOf(deliveryId: string): Promise<string | null>;
}

/** Tells when deliveries may have become due in any process. */
export interface DeliveryBell {
  /** Rings on new deliveries, and whenever the line to the database is up again. */
  listen(ring: () => void): void;
  close(): Promise<void>;
}

export interface DeliveryWithAttempts {
  readonly delivery: StoredDelivery;
  readonly attempts: readonly AttemptRecord[];
}

/** The challenge room's view for webhooks. */
export interface PayloadSource {
  /** The result objects with fresh asset links, in order; `gone` where the challenge was erased, purged or cancelled. */
  payloads(
    challenges: readonly { accountId: string; challengeId: string }[],
  ): Promise<({ status: 'ready'; result: ChallengeResult } | { status: 'gone' })[]>;
}

/** The account's webhook secrets. */
export interface SigningSecrets {
  /** Secrets in force, newest first, `whsec_…` (Standard Webhooks); several while one is being rotated. */
  inForce(accountId: string): Promise<readonly string[]>;
}
