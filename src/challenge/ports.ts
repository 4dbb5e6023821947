// What this room needs of the others. src/storage, src/keys, src/featid and src/webhook provide them; src/composition
// joins them. Types only.

import type { Readable } from 'node:stream';
import type { ByteRange, SizedBytes } from '../base/sized-bytes.ts';
import type { MakeDeliveries, NewDelivery } from '../contract/new-delivery.ts';
import type { NewFeatidRow, NewRenewalRow } from '../contract/new-featid.ts';
import type { FeatidSource } from '../contract/picture.ts';
import type { FeatidRefusal } from '../contract/problem.ts';
import type { Custody, ErasableKey } from '../keys/account-keys.ts';
import type { Asset } from './challenge.ts';

export type { Custody, MakeDeliveries, NewDelivery, NewFeatidRow, NewRenewalRow };

/** FeatureIDs (src/featid), as creation and settlement use them. `T` is the template type. */
export interface Featids<T = unknown> {
  /** Checks strings at creation, in order: the id of each, or why it cannot be compared with. */
  check(
    accountId: string,
    featids: readonly string[],
  ): Promise<
    (
      | { ok: true; id: string; source: FeatidSource; pausedForSeconds: number | null }
      | { ok: false; code: FeatidRefusal }
    )[]
  >;
  /** Seals a template into a new FeatureID; the row is not yet written. */
  create(input: {
    accountId: string;
    challengeId: string;
    template: T;
  }): Promise<{ featid: string; row: NewFeatidRow }>;
  /** A FeatureID of the sandbox, behind which no template stands; the row is not yet written. */
  createForSandbox(input: { accountId: string; challengeId: string }): Promise<{
    featid: string;
    row: NewFeatidRow;
  }>;
}

/**
 * Encrypted assets: bytes in a store, each under its own key. The row in the database is written by the caller's
 * transaction after `put`; an asset without a row is an orphan and swept.
 */
export interface AssetStore {
  /**
   * Encrypts and stores durably (fsync or the equal of it). Answers the asset's key, sealed under the holder's. Where
   * reading the bytes throws, nothing is stored and this throws the same.
   */
  put(input: {
    holder: ErasableKey;
    assetId: string;
    bytes: Uint8Array | SizedBytes;
  }): Promise<{ sealedKey: Buffer }>;
  /**
   * The bytes or a part of them, each proven before it is given out. Read it to its end or destroy it.
   * @throws Fault ASSET_MISSING or ASSET_STORE_FAILED; reading it may throw ASSET_STORE_FAILED or SEAL_BROKEN.
   */
  open(asset: StoredAsset, range?: ByteRange): Promise<Readable>;
  /** All of it at once. @throws as `open` and the reading of it. */
  get(asset: StoredAsset): Promise<Buffer>;
  /** Deletes the bytes; nothing happens where there are none. */
  delete(assetId: string): Promise<void>;
  /** Ids of stored assets that were written before `before`, for the orphan sweep. */
  listOlderThan(before: Date): AsyncIterable<string>;
  /** Rejects where it cannot be reached just now. */
  check(): Promise<void>;
}

/** Whether there is room for what people send. */
export interface StorageRoom {
  /** Why this account can store nothing more just now: the disks are full, or it has its share. Seconds old at most. */
  refusal(accountId: string): Promise<'storage_full' | 'account_full' | null>;
  hasSpace(): Promise<boolean>;
  /** What one account may store; null: no limit. */
  accountQuotaBytes(): Promise<number | null>;
}

/** Where an asset lies and what opens it: from its row. */
export interface StoredAsset {
  readonly holder: ErasableKey;
  readonly assetId: string;
  readonly sealedKey: Uint8Array;
  readonly sizeBytes: number;
}

/** Fetches a client-given logo through the guarded fetch; null when it cannot be had or is no raster image ≤ 1 MB. */
export type FetchImage = (
  url: string,
  limits: { maxBytes: number; timeoutMs: number },
) => Promise<Uint8Array | null>;

/** An asset row to be written. */
export type NewAsset = Omit<Asset, 'createdAt' | 'holder'>;
