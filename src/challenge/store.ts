// The port to the challenge tables. Every method is one transaction; times and deadlines are the database's own.
import type { PublicRequest } from '../contract/challenge-request.ts';
import type { ChallengeStatus } from '../contract/states.ts';
import type { NewIdempotencyRecord } from '../idempotency/ports.ts';
import type {
  AccountFace,
  Asset,
  Capture,
  Challenge,
  ChallengePlace,
  ListedChallenge,
  StoredEvent,
} from './challenge.ts';
import type { ApplyOutcome, AuditEntry, ChallengeChange } from './change.ts';
import type { NewAsset } from './ports.ts';

export interface NewChallenge extends ChallengePlace {
  readonly videoKey: Buffer;
  readonly sandbox: boolean;
  readonly request: PublicRequest;
  readonly sealedRequest: Buffer;
  /** Finds the challenge by its customer_reference; null if it has none. */
  readonly referenceTag: Buffer | null;
  readonly linkHash: Buffer;
  readonly expiresInSeconds: number;
  /** Ids of the FeatureIDs that it compares with, without duplicates. */
  readonly featidIds: readonly string[];
  /** Who creates it, for the audit log. */
  readonly actor: string;
}

export type InsertOutcome =
  | { readonly status: 'created'; readonly createdAt: Date; readonly expiresAt: Date }
  /** Nothing was written, because the idempotency key has a record already, or one is being written. */
  | { readonly status: 'keyTaken' };

/** A challenge as found by its link. */
export interface LinkedChallenge {
  readonly challenge: Challenge;
  readonly account: AccountFace;
  /** The latest capture. */
  readonly capture: Capture | null;
  /** Whether `expires_at` has passed, by the database's clock. */
  readonly expired: boolean;
  /** When this was read, by the database's clock, which also set its times; this machine's clock may differ. */
  readonly readAt: Date;
}

/** A capture and its challenge at the time of reading. */
export interface ReadCapture {
  readonly capture: Capture;
  readonly challenge: Challenge;
  /** By the database's clock. */
  readonly readAt: Date;
}

export interface ChallengeQuery {
  readonly status?: ChallengeStatus;
  readonly referenceTag?: Buffer;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly limit: number;
  /** Returns the challenges after this position in the list. */
  readonly before?: ListPosition;
}

/** A position in a list of challenges, which is ordered by both fields. */
export interface ListPosition {
  /** ISO 8601 in UTC, to the microsecond. */
  readonly createdAt: string;
  readonly id: string;
}

/** A page of a list; `next` is the `before` of the following page, if there is one. */
export interface ListedPage {
  readonly data: readonly ListedChallenge[];
  readonly next: ListPosition | null;
}

export interface StoredChunk {
  readonly status: 'stored';
  readonly receivedBytes: number;
  readonly state: 'issued' | 'committed';
  /** Whether the capture is committed and has every byte. */
  readonly isComplete: boolean;
}

export interface AnnouncedSlice {
  readonly captureId: string;
  /** Number of slices before it. */
  readonly index: number;
  readonly sizeBytes: number;
  /** Its end, in milliseconds from the recorder's start. */
  readonly toMs: number;
  readonly mac: Buffer;
  readonly withinMs: number;
  readonly maxBytes: number;
}

/** Prints of a capture's frames, keyed by account, so that they never match another account's. */
export interface FramePrints {
  readonly captureId: string;
  readonly accountId: string;
  readonly prints: readonly Buffer[];
}

export interface ChallengeStore {
  /** Inserts the challenge, its audit row and its idempotency record, if it has one. */
  insert(challenge: NewChallenge, record: NewIdempotencyRecord | null): Promise<InsertOutcome>;
  find(accountId: string, challengeId: string): Promise<Challenge | null>;
  /** Events in order, and the assets that can still be read. */
  details(challengeId: string): Promise<{ events: StoredEvent[]; assets: Asset[] }>;
  /** Challenges of any account with their details, in no particular order; unknown ids are left out. */
  findWithDetails(
    challengeIds: readonly string[],
  ): Promise<{ challenge: Challenge; events: StoredEvent[]; assets: Asset[] }[]>;
  /** Writes an audit line for the reading of a result, a video or a frame. */
  auditRead(read: AuditEntry & { readonly accountId: string; readonly subject: string }): Promise<void>;
  /** Newest first. */
  list(accountId: string, query: ChallengeQuery): Promise<ListedPage>;
  findByLink(linkHash: Buffer): Promise<LinkedChallenge | null>;
  apply(change: ChallengeChange): Promise<ApplyOutcome>;
  /**
   * Deletes the challenge with events, captures, result and deliveries, turns its FeatureIDs into tombstones and marks
   * its assets for deletion. If retention has purged the row, only FeatureIDs and assets are affected.
   */
  erase(accountId: string, challengeId: string, actor: string): Promise<{ assetIds: string[] } | null>;

  findCapture(captureId: string): Promise<ReadCapture | null>;
  /**
   * Notes the capture's next slice if the capture is issued and the challenge open, no slice is skipped, its end is
   * neither before that of the last slice nor in the future, the last slice ended at most `withinMs` ago, and all
   * slices together are no larger than `maxBytes`. Otherwise changes nothing.
   */
  announceSlice(slice: AnnouncedSlice): Promise<boolean>;
  /**
   * Notes that the script's first `count` steps are handed out, if the capture is issued and the script has that many.
   * Resolves with the number handed out.
   */
  handOutSteps(captureId: string, count: number): Promise<number>;
  /**
   * Appends a chunk if the capture is issued or committed, the offset equals the bytes received so far, the bytes are
   * announced, no deadline has passed and the challenge is open. Otherwise changes nothing.
   */
  appendChunk(chunk: {
    captureId: string;
    offset: number;
    lengthBytes: number;
    sealedBytes: Buffer;
  }): Promise<StoredChunk | { status: 'refused' }>;
  /** The sealed chunk that begins at this byte; null if there is none. */
  readChunk(captureId: string, position: number): Promise<Buffer | null>;
  /**
   * Claims a complete upload to finish it; for `leaseMs` nobody else gets it. Null if it is not complete or no longer
   * open, or while another run holds it.
   */
  claimFinish(captureId: string, leaseMs: number): Promise<{ capture: Capture; challenge: Challenge } | null>;
  /** Renews the lease for `leaseMs` from now; does nothing if the upload is finished. */
  extendFinish(captureId: string, leaseMs: number): Promise<void>;
  /** Gives back the lease of a run that failed. */
  releaseFinish(captureId: string): Promise<void>;
  /** Abandons an issued or committed capture that cannot be used and deletes its chunks; false if it was neither. */
  abandonCapture(captureId: string): Promise<boolean>;
  /** Bytes of the account in the asset store and in uploads in progress. */
  countStoredBytes(accountId: string): Promise<number>;
  /**
   * Whether no more captures of this account are accepted, given that `limit` may wait for judgement. Accounts with
   * less than their share of the queue waiting are accepted even if it is full.
   */
  isQueueFull(accountId: string, limitPerWorker: number): Promise<boolean>;
  /** Captures that are judged before this one if no new ones come; 0 for one that is being judged or does not wait. */
  countAhead(captureId: string): Promise<number>;
  /**
   * Takes the capture whose turn it is, for this job of the queue, and counts a start of its judgement: the oldest
   * capture of the account whose last turn is longest ago. Null if none is free. The job must settle it or put it back;
   * a job that dies and is run again gives it back by taking the next. `faultMs`: time since the first fault that
   * prevented its judgement and was not its video's, by the database's clock; 0 if there was none.
   */
  takeCapture(jobId: string): Promise<{ capture: Capture; challenge: Challenge; faultMs: number } | null>;
  /**
   * Takes a capture that has received some bytes and that nobody judges, for this job of the queue, and counts a start
   * of its judgement. Null if none is free. The job must settle or release it; a job that dies and is run again takes
   * the same capture again, as long as fewer than `maxStarts` were counted.
   */
  takeRecording(jobId: string, maxStarts: number): Promise<{ capture: Capture; challenge: Challenge } | null>;
  /** Leaves a taken recording to be judged when it is complete. Does nothing if it is settled. */
  releaseRecording(captureId: string): Promise<void>;
  /**
   * Makes a taken capture wait again for at least `afterMs`, and queues a job for it. `counted` keeps its start
   * counted; otherwise a fault that was not the video's is noted. Does nothing if it is settled.
   */
  putBack(captureId: string, how: { afterMs: number; counted: boolean }): Promise<void>;
  /**
   * Remembers the prints of a committed capture. Resolves with the largest number of them that any single capture
   * remembered earlier holds; of captures remembered at the same time, one counts as the first. Repeated for the same
   * capture, it gives the same answer. Null if the capture was erased meanwhile.
   */
  rememberFrames(given: FramePrints): Promise<number | null>;

  /** Seconds until the challenge may compare with any of its FeatureIDs; null if it may now, or names none in force. */
  findPause(challengeId: string): Promise<number | null>;

  findAsset(assetId: string): Promise<Asset | null>;
  /** Inserts an asset of an open challenge; false when the challenge is closed or erased. */
  insertAsset(asset: NewAsset): Promise<boolean>;
  /** True for the one caller that may fetch the logo now: the first, and again a minute after a failure. */
  claimLogoFetch(challengeId: string): Promise<boolean>;
}
