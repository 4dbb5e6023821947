// The port of the idempotency record table. src/storage implements it; times are the database's.
import type { KeyHolder } from '../keys/account-keys.ts';

/** An idempotency key and its scope: one account, one path. */
export interface IdempotencyScope {
  readonly accountId: string;
  readonly path: string;
  readonly key: string;
}

/** A record that is complete when it is written. */
export interface NewIdempotencyRecord {
  readonly scope: IdempotencyScope;
  /** HMAC of the request's body; 32 bytes. */
  readonly fingerprint: Buffer;
  readonly sealedAnswer: Buffer;
  /** How long it is in force. */
  readonly lifeMs: number;
}

/** A claim that holds a key while its request is in progress. */
export interface NewIdempotencyClaim {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
  /**
   * The challenge that the answer will be about: the answer is sealed under its key and erased with it. Null if there
   * is none; a challenge of another account counts as none.
   */
  readonly challengeId: string | null;
  /** The process of a claim older than this is considered dead. */
  readonly lifeMs: number;
}

export interface IdempotencyClaim {
  readonly scope: IdempotencyScope;
  /** Distinguishes it from a later claim of the same key. */
  readonly id: string;
  /** Whose key seals the answer. */
  readonly holder: KeyHolder;
}

/** A record in force. */
export interface IdempotencyRecord {
  readonly fingerprint: Buffer;
  /** Null while the request is in progress. */
  readonly sealedAnswer: Buffer | null;
  /** Whose key seals the answer. */
  readonly holder: KeyHolder;
  readonly createdAt: Date;
}

export interface IdempotencyStore {
  /** The record in force; null if there is none. */
  find(scope: IdempotencyScope): Promise<IdempotencyRecord | null>;
  /** Writes a record. Does nothing and returns false if one is in force or being written. */
  insert(record: NewIdempotencyRecord): Promise<boolean>;
  /** Claims the key; null if a record is in force or being written. */
  claim(claim: NewIdempotencyClaim): Promise<IdempotencyClaim | null>;
  /** Turns a claim into a record. Does nothing if the claim was lost, or erased with its challenge. */
  complete(claim: IdempotencyClaim, sealedAnswer: Buffer, lifeMs: number): Promise<void>;
  /** Releases a claim, so that the next request with the key runs. */
  release(claim: IdempotencyClaim): Promise<void>;
  /** Deletes records that are no longer in force; resolves with the count. */
  deleteExpired(): Promise<number>;
}
