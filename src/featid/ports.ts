// What FeatureIDs need of the database (src/storage). Types only.

/** A FeatureID row to be inserted by the transaction that completes a challenge. */
export interface NewFeatidRow {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly pack: string;
  readonly layout: number;
  readonly sealedTemplate: Buffer;
}

/** A FeatureID as the store holds it. */
export interface StoredFeatid {
  readonly id: string;
  readonly pack: string;
  readonly layout: number;
  /** Null: revoked, only this tombstone is left. */
  readonly sealedTemplate: Buffer | null;
}

export interface FeatidStore {
  /** The account's rows among these ids, in any order, in one query. */
  findMany(accountId: string, ids: readonly string[]): Promise<StoredFeatid[]>;
  /** Notes that these were compared with, to the hour. */
  noteUse(accountId: string, ids: readonly string[]): Promise<void>;
  /** Destroys the template and leaves a tombstone, with its audit row. False where there is none in force. */
  revoke(accountId: string, id: string, actor: string): Promise<boolean>;
}
