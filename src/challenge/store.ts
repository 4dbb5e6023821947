// The port to the challenge tables. Every method is one transaction; times and deadlines are the database's own.
import type { RetryReason } from '../contract/capture-page.ts';
import type { PublicRequest } from '../contract/challenge-request.ts';
import type { DrawnScript, Script } from '../contract/script.ts';
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
import type { NotifyingAction, QuietAction } from './lifecycle.ts';
import type { NewAsset, NewDelivery, NewFeatidRow, NewRenewalRow } from './ports.ts';

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

/** What a change does to captures; each is refused (and the whole change with it) where its own guard misses. */
export type CaptureChange =
  /**
   * Uses a try and inserts a capture; refused past `maxTries`. One that is under way is abandoned for it; after
   * `maxRestarts` of these, refused until the deadline of the one abandoned last has passed.
   */
  | {
      readonly kind: 'issue';
      readonly id: string;
      readonly script: DrawnScript;
      readonly commitWithinMs: number;
      readonly maxRestarts: number;
      readonly maxTries: number;
    }
  /** Abandons an issued or committed capture, where there is one; it counts as a restart. */
  | { readonly kind: 'abandon' }
  /** Guard: issued, at most `withinMs` ago, and the commit deadline has not come. */
  | {
      readonly kind: 'commit';
      readonly id: string;
      readonly livedScript: Script;
      readonly withinMs: number;
      /** Guard: as many slices, of so many bytes, were announced. */
      readonly slices: number;
      readonly sizeBytes: number;
      readonly mimeType: string;
      readonly sealedHints: Buffer;
      readonly uploadWithinMs: number;
      /** Guard: with these bytes the account stores no more than this; null: no limit. */
      readonly accountQuotaBytes: number | null;
    }
  /** Guard: committed, and every byte received. Deletes the chunks, writes the judge job. */
  | { readonly kind: 'submit'; readonly id: string; readonly assetId: string }
  /** Guard: submitted. */
  | { readonly kind: 'judged'; readonly id: string; readonly sealedTry: Buffer | null }
  | {
      readonly kind: 'rejected';
      readonly id: string;
      readonly reason: RetryReason;
      readonly sealedTry: Buffer | null;
      /** It was the service's fault: the try does not count. */
      readonly returnsTry?: boolean;
    };

/** One change of one challenge: applied whole or not at all. A change that closes abandons every open capture. */
export type ChallengeChange = QuietChange | NotifyingChange;

export interface QuietChange extends ChangeParts {
  readonly action: QuietAction;
  readonly deliveries?: never;
}

/** The compiler demands the deliveries that the lifecycle's table asks for. */
interface NotifyingChange extends ChangeParts {
  readonly action: NotifyingAction;
  /** Those of its action's event (closing-deliveries.ts). */
  readonly deliveries: readonly NewDelivery[];
}

/** What a change brings beside its action, the row of the lifecycle's table that decides whether and how it is made. */
interface ChangeParts {
  readonly challengeId: string;
  /** Further guard: the bound device's token hash must be this. */
  readonly device?: Buffer;
  /** Binds a device. */
  readonly bindDevice?: Buffer;
  /** Consent to record (its time is set by the database); null withdraws. */
  readonly sealedConsent?: Buffer | null;
  /** Further guard: consent given, where the challenge requires it. */
  readonly needsConsent?: boolean;
  readonly result?: { readonly overallResult: 'pass' | 'fail'; readonly sealedResult: Buffer };
  readonly capture?: CaptureChange;
  readonly assets?: readonly NewAsset[];
  readonly featid?: NewFeatidRow | null;
  /** Each of another FeatureID; one that may not be renewed any more is passed over. */
  readonly renewals?: readonly NewRenewalRow[];
  /** FeatureIDs whose scores it makes known, each once: refused as a whole where one of them is paused. */
  readonly guess?: { readonly featidIds: readonly string[]; readonly hasFailed: boolean };
  readonly audit?: AuditEntry;
}

export interface AuditEntry {
  /** API key id, `operator`, `system`, or `link` for whoever holds a presigned link. */
  readonly actor: string;
  readonly action: string;
}

export type ApplyOutcome =
  | { readonly status: 'applied' }
  | { readonly status: 'refused' }
  /** Nothing was written: these FeatureIDs of its guess are paused. */
  | { readonly status: 'paused'; readonly featidIds: readonly string[] };

/** A challenge as its link sees it. */
export interface LinkedChallenge {
  readonly challenge: Challenge;
  readonly account: AccountFace;
  /** The latest capture. */
  readonly capture: Capture | null;
  /** Whether `expires_at` has come, by the database's clock. */
  readonly expired: boolean;
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

/** Prints of a capture's frames, keyed under its account: those of another never meet them. */
export interface FramePrints {
  readonly captureId: string;
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

  findCapture(captureId: string): Promise<{ capture: Capture; challenge: Challenge } | null>;
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
   * that dies and is run again gives it back by taking the next.
   */
  takeCapture(jobId: string): Promise<{ capture: Capture; challenge: Challenge } | null>;
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
  /** Remembers the prints; answers how many of them the one earlier capture holds that holds the most. */
  rememberFrames(given: FramePrints): Promise<number>;

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

/** A due challenge with what its notifications need. */
export type DueChallenge = ChallengePlace & Pick<Challenge, 'sealedRequest'>;

export interface PreparedExpiry {
  readonly challengeId: string;
  readonly deliveries: readonly NewDelivery[];
}

/** The batched work that every instance repeats. Each call handles at most `limit` rows and tells how many it did. */
export interface SweepStore {
  /**
   * Claims open challenges without an accepted capture whose deadline has come, those that no other instance holds, and
   * expires what `prepare` answers, each with its event and deliveries: one transaction. Answers the number claimed.
   */
  expireDue(
    action: NotifyingAction,
    /** `except`: ids that are left alone. */
    claim: { readonly limit: number; readonly except: readonly string[] },
    prepare: (due: readonly DueChallenge[]) => Promise<readonly PreparedExpiry[]>,
  ): Promise<number>;
  /** Captures whose commit or upload deadline has passed, with their chunks. */
  abandonStale(limit: number): Promise<number>;
  /** Committed captures with every byte received that nobody finishes just now (a crash between two steps). */
  listUnfinishedUploads(limit: number): Promise<string[]>;
  /** Marks assets past their retention and answers every asset that waits for deletion. */
  listDeletable(limit: number): Promise<string[]>;
  removeAssets(assetIds: readonly string[]): Promise<void>;
  /** Which of these ids have an asset row. */
  knownAssets(assetIds: readonly string[]): Promise<Set<string>>;
  /**
   * Deletes challenges closed longer than this ago, with what still waits for its receiver: the audit log says which. A
   * delivery that was never tried keeps its result for an hour at most. Their assets are marked.
   */
  purgeResults(olderThanDays: number, limit: number): Promise<number>;
  /** Keeps the count of stored bytes short. */
  foldStoredBytes(limit: number): Promise<number>;
  /** Forgets prints of frames that are older than so many days; returns how many days' there were. */
  forgetFramePrints(windowDays: number): Promise<number>;
  /**
   * Drops the months of the audit log that ended more than so many days ago, and makes the tables of the next ones;
   * returns how many went.
   */
  keepAuditMonths(retentionDays: number): Promise<number>;
  /** Cuts buckets of keys that have grown and takes empty ones out of use; returns how many were changed. */
  balanceKeyBuckets(): Promise<number>;
  /** Folds changes of the operator's figures into their sums; for one process at a time. */
  foldFigures(limit: number): Promise<number>;
  /** Deletes figures that are no longer shown, up to `limit` of a kind; returns the largest number that a kind had. */
  trimFigures(limit: number): Promise<number>;
}
