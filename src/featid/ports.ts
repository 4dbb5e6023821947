// What FeatureIDs need of the database (src/storage). Types only.
import type { FeatidSource } from '../contract/picture.ts';
import type { NewIdempotencyRecord } from '../idempotency/ports.ts';
import type { NewFeatidRow } from './tables/keys.ts';

export type { NewFeatidRow };

/** What the store has for a requested id. */
export interface StoredFeatid {
  readonly id: string;
  /** A revoked FeatureID leaves a tombstone; an unknown one, or another account's, leaves nothing. */
  readonly status: 'in_force' | 'tombstone' | 'unknown';
  readonly pack: string;
  readonly layout: number;
  readonly source: FeatidSource;
  /** If there is no template: bytes that no key opens. */
  readonly sealedTemplate: Buffer;
  /** If there is no template: an arbitrary key. */
  readonly erasureKey: Buffer;
  /** Empty for an unknown id. */
  readonly keyCheck: Buffer;
  /** Whether today's use is already noted, so that noting it again would change nothing. */
  readonly isUseRecorded: boolean;
  /** Seconds for which it is paused after failed guesses; null when it is not. */
  readonly pausedForSeconds: number | null;
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
   * What the account has for each of these ids, in any order, in two concurrent queries. A missing template is replaced
   * by `placeholderBytes` bytes, because an unknown id must take as long as a known one.
   */
  findMany(accountId: string, ids: readonly string[], placeholderBytes: number): Promise<StoredFeatid[]>;
  /** Notes today as the day on which these were last compared. */
  recordUse(accountId: string, ids: readonly string[]): Promise<void>;
  /** Destroys the template, leaves a tombstone and writes an audit row. False if no template is in force. */
  revoke(accountId: string, id: string, actor: string): Promise<boolean>;
  /** Ends a pause after failed guesses and writes an audit row. */
  unlock(accountId: string, id: string, actor: string): Promise<void>;
}

/** Retention and figures over all accounts. */
export interface FeatidUpkeepStore {
  /** Turns FeatureIDs that were unused for this long into tombstones, except those that an open challenge names. */
  retire(unusedForDays: number, limit: number): Promise<number>;
  /** Deletes tombstones older than this. From then on their strings are unknown. */
  purgeTombstones(olderThanDays: number, limit: number): Promise<number>;
  /** Counts by pack, sorted by its name, for one account or for all. */
  countByPack(accountId?: string): Promise<PackUse[]>;
}

/** A picture for a worker to read. */
export interface NewPicture {
  readonly id: string;
  readonly accountId: string;
  /** Who sent it, for the audit log. */
  readonly actor: string;
  readonly sealedPicture: Buffer;
  /** The picture's own 32 bytes. Without them nobody can open it or its answer. */
  readonly erasureKey: Buffer;
}

/** A picture that a worker has taken. */
export interface TakenPicture extends NewPicture {
  /** How many times a worker has begun to read it, including this time. */
  readonly starts: number;
}

/** Pictures that wait to be read, and their answers. They are kept for seconds. */
export interface PictureStore {
  /**
   * Writes a FeatureID of a picture that needs no worker, and its audit row. Returns false and writes nothing if
   * another request with the same idempotency key has a record in force.
   */
  enrol(featid: NewFeatidRow, actor: string, record: NewIdempotencyRecord | null): Promise<boolean>;
  /**
   * Queues a picture. Returns false and writes nothing while too many pictures wait, of all accounts or of this one.
   */
  submit(picture: NewPicture, most: { readonly ofAll: number; readonly ofAccount: number }): Promise<boolean>;
  /** Takes a picture and counts the start; null if it has been answered or withdrawn. */
  take(id: string): Promise<TakenPicture | null>;
  /** Answers a picture, with the FeatureID made from it. Does nothing if it has been withdrawn meanwhile. */
  answer(id: string, answer: { sealedAnswer: Buffer; featid: NewFeatidRow | null }): Promise<void>;
  readAnswer(id: string): Promise<Buffer | null>;
  /**
   * Erases a picture and its answer, which is being returned to the client; the FeatureID stays. Returns `keyTaken` and
   * does nothing if another request with the same idempotency key has a record in force, `gone` if it was withdrawn.
   */
  collect(id: string, record: NewIdempotencyRecord | null): Promise<'collected' | 'keyTaken' | 'gone'>;
  /** Erases a picture and its FeatureID, if one was made. Nobody has received that FeatureID's string. */
  withdraw(id: string): Promise<void>;
  /** Withdraws pictures whose request ended without collecting them. Returns how many. */
  withdrawOlderThan(seconds: number, limit: number): Promise<number>;
}
