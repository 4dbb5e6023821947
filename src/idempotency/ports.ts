// The table of idempotency records, as this room needs it. src/storage provides it; times are the database's.
import type { KeyHolder } from '../keys/account-keys.ts';

/** Where an idempotency key counts: one account, one path. */
export interface IdempotencyScope {
  readonly accountId: string;
  readonly path: string;
  readonly key: string;
}

/** A record that is finished when it is written, in whichever transaction. */
export interface NewIdempotencyRecord {
  readonly scope: IdempotencyScope;
  /** HMAC of the request's body; 32 bytes. */
  readonly fingerprint: Buffer;
  readonly sealedAnswer: Buffer;
  /** How long it is in force. */
  readonly lifeMs: number;
}

/** A key that is taken while its request is worked on. */
export interface NewIdempotencyClaim {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
  /**
   * The challenge of which the answer will tell: the answer is sealed under its key, and goes with it. Null where there is
   * none; one that this account does not have counts as none.
   */
  readonly challengeId: string | null;
  /** The process of a claim older than this has died. */
  readonly lifeMs: number;
}

export interface IdempotencyClaim {
  readonly scope: IdempotencyScope;
  /** Tells it from a later claim of the same key. */
  readonly id: string;
  /** Whose key seals the answer. */
  readonly holder: KeyHolder;
}

/** A record in force. */
export interface IdempotencyRecord {
  readonly fingerprint: Buffer;
  /** Null while the request is worked on. */
  readonly sealedAnswer: Buffer | null;
  /** Whose key seals the answer. */
  readonly holder: KeyHolder;
  readonly createdAt: Date;
}

export interface IdempotencyStore {
  /** The record in force; null where there is none. */
  find(scope: IdempotencyScope): Promise<IdempotencyRecord | null>;
  /** Writes a record; false, and nothing happens, where one is in force or being written. */
  insert(record: NewIdempotencyRecord): Promise<boolean>;
  /** Takes the key; null where a record is in force or being written. */
  claim(claim: NewIdempotencyClaim): Promise<IdempotencyClaim | null>;
  /** Makes a record of a claim. Nothing happens where it has been lost, or erased with its challenge. */
  complete(claim: IdempotencyClaim, sealedAnswer: Buffer, lifeMs: number): Promise<void>;
  /** Gives a claim up: the next request with the key is worked on. */
  release(claim: IdempotencyClaim): Promise<void>;
  /** Deletes records that are not in force any more; answers how many. */
  deleteExpired(): Promise<number>;
}
