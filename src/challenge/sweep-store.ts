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

/**
 * The batched work that every instance repeats. Each call handles at most `limit` rows and resolves with their number.
 */
export interface SweepStore {
  /**
   * In one transaction, claims open challenges that are past their deadline, have no accepted capture and are not held
   * by another instance, and expires those that `prepare` returns, each with its event and deliveries. Resolves with
   * the number claimed. A complete upload counts as an accepted capture.
   */
  expireDue(
    action: NotifyingAction,
    claim: {
      readonly limit: number;
      /** Ids to skip. */
      readonly except: readonly string[];
      /** How long after its deadline an upload that cannot be stored still counts as accepted. */
      readonly patienceMs: number;
    },
    prepare: (due: readonly DueChallenge[]) => Promise<readonly PreparedExpiry[]>,
  ): Promise<number>;
  /** Abandons captures whose commit or upload deadline has passed, and deletes their chunks. */
  abandonStale(limit: number): Promise<number>;
  /** Committed captures with every byte received that nobody is finishing (after a crash between two steps). */
  listUnfinishedUploads(limit: number): Promise<string[]>;
  /** Marks assets past their retention, and lists the assets that wait for deletion. */
  listDeletable(limit: number): Promise<string[]>;
  removeAssets(assetIds: readonly string[]): Promise<void>;
  /** Which of these ids have an asset row. */
  knownAssets(assetIds: readonly string[]): Promise<Set<string>>;
  /**
   * Deletes challenges closed longer ago than this, including deliveries that still wait for their receiver, which the
   * audit log lists. A delivery that was never tried delays this by an hour at most. The challenges' assets are marked
   * for deletion.
   */
  purgeResults(olderThanDays: number, limit: number): Promise<number>;
  /** Folds changes of the stored-bytes counts into their sums. */
  foldStoredBytes(limit: number): Promise<number>;
  /** Deletes frame prints that are no longer compared with. */
  forgetFramePrints(windowDays: number, limit: number): Promise<number>;
  /** Deletes lines of the audit log that are older than this. */
  forgetAuditLines(retentionDays: number, limit: number): Promise<number>;
}
