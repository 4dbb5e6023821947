// What this room needs of the others: the delivery tables, the payload of a challenge, the signing secrets of an
// account, and custody of secrets. src/storage, src/challenge and src/keys provide them; src/composition joins them.

import type { AttemptOutcome, DeliveryEvent } from '../contract/delivery.ts';
import type { MakeDeliveries, NewDelivery } from '../contract/new-delivery.ts';
import type { ChallengeResult } from '../contract/result.ts';
import type { DeliveryStatus } from '../contract/states.ts';
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
  /** Beginning of the answer, under the delivery's key: a receiver may echo the payload. */
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
  /** The receiver is alive: it answered with a status below 500. */
  readonly answered: boolean;
}

/**
 * What is known of a receiver, across all processes. `unproven`: it has never answered, or not the last time. `failing`:
 * its circuit breaker is open.
 */
export type ReceiverStanding = 'answering' | 'unproven' | 'failing';

export interface ClaimedDelivery extends StoredDelivery {
  readonly standing: ReceiverStanding;
  /** Its receiver may have had more that was due than could be taken. */
  readonly hasMore: boolean;
}

/** How much a process can take up now, from receivers that are not failing. */
export interface ClaimRequest {
  /** Calls that it can still start; also the most that any one receiver may have under way in all processes. */
  readonly free: number;
  /** How many of them may go to unproven receivers. */
  readonly freeForUnproven: number;
  /** Receivers that were heard of: looked at first. */
  readonly noticed: readonly Buffer[];
  /** Whether to look at the others too: not every notice is worth it. */
  readonly walks: boolean;
  /** The accounts that have calls under way in this process: none may have more than there are places free. */
  readonly busy: readonly BusyAccount[];
  /** The receiver with which the rotation continues; null starts from the beginning. */
  readonly after: Buffer | null;
}

/** Calls of an account that are under way, and how many of them to unproven receivers. */
export interface BusyAccount {
  readonly accountId: string;
  readonly calls: number;
  readonly unproven: number;
}

/** How many calls to failing receivers a process can take up now. */
export type FailingClaimRequest = Pick<ClaimRequest, 'free' | 'busy' | 'after'>;

export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Those of `noticed` for which there were not places enough. */
  readonly unserved: readonly Buffer[];
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
  /** The same from failing receivers: one probe at a time, and what they have been denied for too long. */
  claimFromFailing(request: FailingClaimRequest): Promise<Claim>;
  /**
   * Records attempts together with what follows, all or none; each delivery at most once. A delivery that was cancelled
   * or erased meanwhile stays so; one that was delivered meanwhile stays delivered. A failure changes the schedule only
   * while `step` is the delivery's own: a redelivery asked for meanwhile is not undone by it. What the attempts say of
   * their receivers is written with them.
   */
  recordAttempts(finished: readonly FinishedAttempt[]): Promise<void>;
  /** Ends a pending delivery whose challenge has no payload any more. */
  cancel(deliveryId: string): Promise<void>;
  /** Makes a delivery pending and due now, whether its receiver fails or not, with a new run of the schedule. */
  requeue(accountId: string, deliveryId: string): Promise<'requeued' | 'not_found' | 'not_repeatable'>;
  /** Inserts a test delivery that is finished already, with its one attempt. */
  insertFinished(delivery: NewDelivery, attempt: AttemptRecord, answered: boolean): Promise<void>;
  /** Deletes test deliveries finished longer than this ago, with their attempts: at most `limit`; answers how many. */
  purgeTests(olderThanDays: number, limit: number): Promise<number>;
  /** Forgets receivers of which nothing was heard for longer than this and for which nothing waits; answers how many. */
  forgetReceivers(olderThanDays: number, limit: number): Promise<number>;
  /** Deliveries of one challenge in order of creation, each with its latest attempts, oldest first. */
  listByChallenge(accountId: string, challengeId: string): Promise<DeliveryWithAttempts[]>;
  /** Newest first, of every account unless one is named. */
  list(query: DeliveryQuery): Promise<DeliveryWithAttempts[]>;
  find(accountId: string, deliveryId: string): Promise<DeliveryWithAttempts | null>;
  /** Those of these deliveries that there are, of whatever account: for operators. */
  findAny(deliveryIds: readonly string[]): Promise<StoredDelivery[]>;
  /** A delivery by its id alone, for operators. */
  accountOf(deliveryId: string): Promise<string | null>;
}

/** Tells when deliveries may have become due in any process. */
export interface DeliveryNotifier {
  /** Called with the receiver of new deliveries, and with null whenever the line to the database is up again. */
  subscribe(onNotice: (endpointHash: Buffer | null) => void): void;
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
