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
  /** Finds it by its customer_reference; null where it has none. */
  readonly referenceTag: Buffer | null;
  readonly linkHash: Buffer;
  readonly expiresInSeconds: number;
  /** FeatureIDs that it compares with, each once. */
  readonly featidIds: readonly string[];
  /** Who creates it, for the audit log. */
  readonly actor: string;
}

export type InsertOutcome =
  | { readonly status: 'created'; readonly createdAt: Date; readonly expiresAt: Date }
  /** Nothing was written: the record's idempotency key has a record, or one is being written. */
  | { readonly status: 'keyTaken' };

/** A challenge as its link sees it. */
export interface LinkedChallenge {
  readonly challenge: Challenge;
  readonly account: AccountFace;
  /** The latest capture. */
  readonly capture: Capture | null;
  /** Whether `expires_at` has come, by the database's clock. */
  readonly expired: boolean;
  /** When this was read, by the clock that set its times: this machine's may be another. */
  readonly readAt: Date;
}

/** A capture as it stood. */
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
  /** Answers the challenges behind this place of the list. */
  readonly before?: ListPosition;
}

/** A place in a list of challenges, which are ordered by both. */
export interface ListPosition {
  /** ISO 8601 in UTC, to the microsecond. */
  readonly createdAt: string;
  readonly id: string;
}

/** A page of a list; where there is another, what to ask for with `before`. */
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
  /** Slices before it. */
  readonly index: number;
  readonly sizeBytes: number;
  /** In milliseconds from the recorder's start. */
  readonly toMs: number;
  readonly mac: Buffer;
  readonly withinMs: number;
  readonly maxBytes: number;
}

/** Prints of a capture's frames, keyed under its account: they never match another account's. */
export interface FramePrints {
  readonly captureId: string;
  readonly accountId: string;
  readonly prints: readonly Buffer[];
}

export interface ChallengeStore {
  /** Inserts the challenge, its audit row and its idempotency record, where it has one. */
  insert(challenge: NewChallenge, record: NewIdempotencyRecord | null): Promise<InsertOutcome>;
  find(accountId: string, challengeId: string): Promise<Challenge | null>;
  /** Events in order, and the assets that can still be read. */
  details(challengeId: string): Promise<{ events: StoredEvent[]; assets: Asset[] }>;
  /** Several challenges of whatever account with their details, in no order; those that are not there are left out. */
  findWithDetails(
    challengeIds: readonly string[],
  ): Promise<{ challenge: Challenge; events: StoredEvent[]; assets: Asset[] }[]>;
  /** Writes an audit line that somebody was given a result, a video or a frame. */
  noteRead(read: AuditEntry & { readonly accountId: string; readonly subject: string }): Promise<void>;
  /** Newest first. */
  list(accountId: string, query: ChallengeQuery): Promise<ListedPage>;
  findByLink(linkHash: Buffer): Promise<LinkedChallenge | null>;
  apply(change: ChallengeChange): Promise<ApplyOutcome>;
  /**
   * Deletes the challenge with events, captures, result and deliveries, turns its FeatureIDs into tombstones and marks
   * its assets for deletion. Works on FeatureIDs and assets alone where retention has purged the row.
   */
  erase(accountId: string, challengeId: string, actor: string): Promise<{ assetIds: string[] } | null>;

  findCapture(captureId: string): Promise<ReadCapture | null>;
  /**
   * Notes a slice behind those that the capture has, where it is issued, the slice in its turn, its end neither before that of
   * the last nor in the future, the end of the last at most `withinMs` ago, all slices together no larger than `maxBytes`, and
   * the challenge open. Otherwise nothing changes.
   */
  announceSlice(slice: AnnouncedSlice): Promise<boolean>;
  /**
   * Notes that the script's first `count` steps are handed out, where the capture is issued and the script has so many. Answers how
   * many are.
   */
  handOutSteps(captureId: string, count: number): Promise<number>;
  /**
   * Appends a chunk where the capture is issued or committed, the offset is the bytes received so far, the bytes are
   * announced, the deadlines have not come and the challenge is open. Otherwise nothing changes.
   */
  appendChunk(chunk: {
    captureId: string;
    offset: number;
    lengthBytes: number;
    sealedBytes: Buffer;
  }): Promise<StoredChunk | { status: 'refused' }>;
  /** The sealed chunk that begins at this byte; null where there is none. */
  readChunk(captureId: string, position: number): Promise<Buffer | null>;
  /**
   * Takes a complete upload to finish it: for `leaseMs` nobody else gets it. Null where it is not complete or not open
   * any more, and while another run has it.
   */
  claimFinish(captureId: string, leaseMs: number): Promise<{ capture: Capture; challenge: Challenge } | null>;
  /** Lets the lease last from now on; nothing happens where the upload is finished. */
  extendFinish(captureId: string, leaseMs: number): Promise<void>;
  /** Gives the lease back: the run broke off. */
  releaseFinish(captureId: string): Promise<void>;
  /** Ends an issued or committed capture that cannot be used, with its chunks; false when it was neither. */
  abandonCapture(captureId: string): Promise<boolean>;
  /** Bytes of the account in the asset store, and of its uploads under way. */
  countStoredBytes(accountId: string): Promise<number>;
  /**
   * Whether no more captures of this account are taken up, of `limit` that may wait for judgement: accounts that have
   * less than their share of the queue waiting find a place even where it is full.
   */
  isQueueFull(accountId: string, limit: number): Promise<boolean>;
  /** Captures that are judged before this one if no new ones come; 0 for one that is being judged or does not wait. */
  countAhead(captureId: string): Promise<number>;
  /**
   * Takes the capture whose turn it is, for this job of the queue, and counts a start of its judgement: the oldest of
   * the account whose last turn is longest ago. Null where none is free. The job must settle it or put it back; one
   * that dies and is run again gives it back by taking the next. `faultMs`: since the first fault that kept it from being
   * judged and was not its video's, by the database's clock; 0 where there was none.
   */
  takeCapture(jobId: string): Promise<{ capture: Capture; challenge: Challenge; faultMs: number } | null>;
  /**
   * Takes a capture of which some bytes are there and that nobody judges, for this job of the queue, and counts a start of its
   * judgement. Null where none is free. The job must settle or release it; one that dies and is run again takes its own again, as
   * long as fewer than `maxStarts` were made.
   */
  takeRecording(jobId: string, maxStarts: number): Promise<{ capture: Capture; challenge: Challenge } | null>;
  /** Leaves a taken recording to be judged when it is complete. Nothing happens where it is settled. */
  releaseRecording(captureId: string): Promise<void>;
  /**
   * Lets a taken capture wait again, at least `afterMs`, with a job to come for it. `counted` keeps its start counted;
   * otherwise a fault that was not the video's is noted. Nothing happens where it is settled.
   */
  putBack(captureId: string, how: { afterMs: number; counted: boolean }): Promise<void>;
  /**
   * Remembers the prints of a committed capture; answers how many of them the one capture holds that holds the most, among
   * those remembered before it: of captures remembered at once, one is the first. Asked again for the same capture, it
   * answers the same. Null where the capture was erased meanwhile.
   */
  rememberFrames(given: FramePrints): Promise<number | null>;

  /**
   * Seconds until the challenge may compare with any of its FeatureIDs; null where it may now, or names none that is in
   * force.
   */
  findPause(challengeId: string): Promise<number | null>;

  findAsset(assetId: string): Promise<Asset | null>;
  /** Inserts an asset of an open challenge; false when the challenge is closed or erased. */
  insertAsset(asset: NewAsset): Promise<boolean>;
  /** True for the one caller that may fetch the logo now: the first, and again a minute after a failure. */
  claimLogoFetch(challengeId: string): Promise<boolean>;
}
