// What this room needs from others. src/storage, src/keys, src/featid and src/webhook provide it; src/composition
// connects them. Types only.

import type { Readable } from 'node:stream';
import type { ByteRange, SizedBytes } from '../base/sized-bytes.ts';
import type { MakeDeliveries, NewDelivery } from '../contract/new-delivery.ts';
import type { NewFeatidRow } from '../contract/new-featid.ts';
import type { FeatidSource } from '../contract/picture.ts';
import type { FeatidRefusal } from '../contract/problem.ts';
import type { Custody, ErasableKey } from '../keys/account-keys.ts';
import type { Asset } from './challenge.ts';

export type { Custody, MakeDeliveries, NewDelivery, NewFeatidRow };

/** FeatureIDs (src/featid), as creation and settlement use them. `T` is the template type. */
export interface Featids<T = unknown> {
  /**
   * Checks FeatureID strings at creation. Resolves, in order, with the id of each or why it cannot be compared with.
   */
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
  /** Makes a sandbox FeatureID, which has no template; the row is not yet written. */
  createForSandbox(input: { accountId: string; challengeId: string }): Promise<{
    featid: string;
    row: NewFeatidRow;
  }>;
}

/**
 * Encrypted assets: bytes in a store, each asset under its own key. The caller's transaction writes the database row
 * after `put`; an asset without a row is an orphan, which the sweep deletes.
 */
export interface AssetStore {
  /**
   * Encrypts and stores durably (fsync or equivalent). Resolves with the asset's key, sealed under the holder's. If
   * reading the bytes throws, stores nothing and rejects with the same error.
   */
  put(input: {
    holder: ErasableKey;
    assetId: string;
    bytes: Uint8Array | SizedBytes;
  }): Promise<{ sealedKey: Buffer }>;
  /**
   * Opens the bytes or a part of them. Each byte is authenticated before it is given out. Read the stream to its end or
   * destroy it.
   * @throws Fault ASSET_MISSING or ASSET_STORE_FAILED; reading may throw ASSET_STORE_FAILED or SEAL_BROKEN.
   */
  open(asset: StoredAsset, range?: ByteRange): Promise<Readable>;
  /** Reads all the bytes into memory. @throws as `open` and reading its stream do. */
  get(asset: StoredAsset): Promise<Buffer>;
  /** Deletes the bytes; does nothing if there are none. */
  delete(assetId: string): Promise<void>;
  /** Ids of stored assets that were written before `before`, for the orphan sweep. */
  listOlderThan(before: Date): AsyncIterable<string>;
  /** Rejects if the store cannot be reached at present. */
  check(): Promise<void>;
}

/** Whether there is room for uploads. */
export interface StorageRoom {
  /**
   * Why this account cannot store more at present: the disks are full, or its quota is used up. Seconds old at most.
   */
  refusal(accountId: string): Promise<'storage_full' | 'account_full' | null>;
  hasSpace(): Promise<boolean>;
  /** What one account may store; null: no limit. */
  accountQuotaBytes(): Promise<number | null>;
}

/** Where an asset's bytes are and what opens them, from its row. */
export interface StoredAsset {
  readonly holder: ErasableKey;
  readonly assetId: string;
  readonly sealedKey: Uint8Array;
  readonly sizeBytes: number;
}

/**
 * Fetches a client-supplied logo through the guarded fetch; null if it cannot be fetched or is not a raster image ≤ 1
 * MB.
 */
export type FetchImage = (
  url: string,
  limits: { maxBytes: number; timeoutMs: number },
) => Promise<Uint8Array | null>;

/** An asset row to be written. */
export type NewAsset = Omit<Asset, 'createdAt' | 'holder'>;
