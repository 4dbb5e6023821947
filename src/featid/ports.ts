// What FeatureIDs need of the database (src/storage). Types only.
import type { NewFeatidRow, NewRenewalRow } from '../contract/new-featid.ts';
import type { FeatidSource } from '../contract/picture.ts';
import type { NewIdempotencyRecord } from '../idempotency/ports.ts';

export type { NewFeatidRow, NewRenewalRow };

/** What the store holds of an id that was asked for. */
export interface StoredFeatid {
  readonly id: string;
  /** A revoked one leaves a tombstone; an unknown one, or another account's, nothing. */
  readonly status: 'in_force' | 'tombstone' | 'unknown';
  readonly pack: string;
  readonly layout: number;
  readonly source: FeatidSource;
  /** Without a template: bytes that no key opens. */
  readonly sealedTemplate: Buffer;
  /** Without a template: an arbitrary key. */
  readonly erasureKey: Buffer;
  /** Empty for an unknown id. */
  readonly keyCheck: Buffer;
  /** That it was used today is noted; noting it again would change nothing. */
  readonly useIsNoted: boolean;
  /** Seconds for which it is paused after failed guesses; null when it is not. */
  readonly pausedForSeconds: number | null;
}

/** A renewal as it lies in the database. */
export interface StoredRenewal {
  readonly id: string;
  readonly layout: number;
  readonly sealedEmbedding: Buffer;
  /** An arbitrary key where it was erased. */
  readonly erasureKey: Buffer;
}

/** FeatureIDs of one recogniser pack. */
export interface PackUse {
  readonly pack: string;
  readonly inForce: number;
  /** In force and never compared. */
  readonly neverUsed: number;
  /** Revoked, erased or past their retention. */
  readonly tombstones: number;
  /** Day of the latest comparison with any of them. */
  readonly lastUsedAt: Date | null;
}

export interface FeatidStore {
  /**
   * What the account has of each of these ids, in any order, in two concurrent queries. A missing template is replaced by
   * `standInBytes` bytes: an unknown id must take as long as a known one.
   */
  findMany(accountId: string, ids: readonly string[], standInBytes: number): Promise<StoredFeatid[]>;
  /**
   * The renewals of those of these ids that are in force, oldest first, and whether another is due; empty for an account
   * that does not renew its references.
   */
  findRenewals(
    accountId: string,
    ids: readonly string[],
  ): Promise<{ featidId: string; isDue: boolean; renewals: StoredRenewal[] }[]>;
  /** Notes the day on which these were compared. */
  noteUse(accountId: string, ids: readonly string[]): Promise<void>;
  /** Destroys the template and leaves a tombstone, with its audit row. False when none is in force. */
  revoke(accountId: string, id: string, actor: string): Promise<boolean>;
  /** Ends a pause after failed guesses, with its audit row. */
  unlock(accountId: string, id: string, actor: string): Promise<void>;
}

/** Retention and figures over all accounts. */
export interface FeatidUpkeepStore {
  /** Turns FeatureIDs that were not used for this long into tombstones, but none that an open challenge names. */
  retire(unusedForDays: number, limit: number): Promise<number>;
  /** Deletes tombstones older than this: their strings are unknown from then on. */
  purgeTombstones(olderThanDays: number, limit: number): Promise<number>;
  /** Erases renewals of accounts that do not renew their references any more. */
  dropRenewals(limit: number): Promise<number>;
  /** By pack, sorted by its name; of one account, or of all. */
  countByPack(accountId?: string): Promise<PackUse[]>;
}

/** A picture to be read by a worker. */
export interface NewPicture {
  readonly id: string;
  readonly accountId: string;
  /** Who sent it, for the audit log. */
  readonly actor: string;
  readonly sealedPicture: Buffer;
  /** The picture's own 32 bytes: without them nobody opens it or its answer. */
  readonly erasureKey: Buffer;
}

/** A picture whose turn it is. */
export interface TakenPicture extends NewPicture {
  /** Times that a worker began to read it, this one included. */
  readonly starts: number;
}

/** Pictures that wait to be read, and their answers. They lie there for seconds. */
export interface PictureStore {
  /**
   * Writes a FeatureID of a picture that needs no worker, and its line in the audit log. False, and nothing happens, where
   * another request with its idempotency key has a record in force.
   */
  enrol(featid: NewFeatidRow, actor: string, record: NewIdempotencyRecord | null): Promise<boolean>;
  /** Queues a picture; false, and nothing is written, while too many of all accounts or of this one wait. */
  submit(picture: NewPicture, most: { readonly ofAll: number; readonly ofAccount: number }): Promise<boolean>;
  /** Takes a picture, counting the start; null where it is answered or withdrawn. */
  take(id: string): Promise<TakenPicture | null>;
  /** Answers a picture, with the FeatureID made of it. Nothing happens where it was withdrawn meanwhile. */
  answer(id: string, answer: { sealedAnswer: Buffer; featid: NewFeatidRow | null }): Promise<void>;
  readAnswer(id: string): Promise<Buffer | null>;
  /**
   * Ends a picture whose answer is handed out: picture and answer are erased, its FeatureID stays. `keyTaken`, and nothing
   * happens, where another request with its idempotency key has a record in force; `gone` where it was withdrawn.
   */
  collect(id: string, record: NewIdempotencyRecord | null): Promise<'collected' | 'keyTaken' | 'gone'>;
  /** Erases a picture and, if one was made, its FeatureID, whose string nobody has. */
  withdraw(id: string): Promise<void>;
  /** Withdraws those whose request ended without them; answers how many. */
  withdrawOlderThan(seconds: number, limit: number): Promise<number>;
}
