// The port to the batched work that every instance repeats.
import type { Challenge, ChallengePlace } from './challenge.ts';
import type { NotifyingAction } from './lifecycle.ts';
import type { NewDelivery } from './ports.ts';

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
   * An upload of which every byte is here counts as accepted.
   */
  expireDue(
    action: NotifyingAction,
    claim: {
      readonly limit: number;
      /** Ids that are left alone. */
      readonly except: readonly string[];
      /** How long after its deadline an upload that cannot be stored still counts. */
      readonly patienceMs: number;
    },
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
