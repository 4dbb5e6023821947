// Space for uploads: free space on the disks of the database and the assets, and what one account may store.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cachedFor } from '../../base/cached-for.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { readStoredBytes } from '../tables/stored-bytes.ts';

/** Free space is read again after this: even at 100 MB a second, less is written in that time than is kept free. */
const SPACE_KNOWN_MS = 1_000;
/** An account's bytes are counted again after this; the commit of an upload counts them exactly. */
const USAGE_KNOWN_MS = 5_000;
/** A file system that counts its files (inodes) and has fewer left than this is full too. */
const MIN_FREE_FILES = 1_000;
/** Unless the operator sets a quota, one account may fill this share of the assets' disk. */
export const DEFAULT_QUOTA_SHARE = 0.5;

export interface StorageLimits {
  /** Free bytes below which uploads are refused. */
  readonly minFreeBytes: number;
  /** What one account may store; null: half of the disk, and no limit if the assets are not on a disk. */
  readonly accountQuotaBytes: number | null;
  /** The largest upload: an account is refused when not even one more fits. */
  readonly maxUploadBytes: number;
}

/** Folders on this machine, which may not exist yet: everything that grows, and the assets; null for S3. */
export interface StoragePlaces {
  readonly growing: readonly string[];
  readonly assets: string | null;
}

export type StorageRoom = ReturnType<typeof createStorageRoom>;

export function createStorageRoom(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  places: StoragePlaces,
  limits: StorageLimits,
) {
  const space = cachedFor(clock, SPACE_KNOWN_MS, async () => {
    const disks = await Promise.all(places.growing.map(readDisk));
    return disks.every((disk) => disk.freeBytes >= limits.minFreeBytes && disk.hasFreeFiles);
  });
  const quota = cachedFor(clock, SPACE_KNOWN_MS, async () => {
    if (limits.accountQuotaBytes !== null) return limits.accountQuotaBytes;
    return places.assets === null ? null : (await readDisk(places.assets)).sizeBytes * DEFAULT_QUOTA_SHARE;
  });
  const usage = new Map<string, () => Promise<number>>();
  const usageOf = (accountId: string): Promise<number> => {
    const known =
      usage.get(accountId) ?? cachedFor(clock, USAGE_KNOWN_MS, () => readStoredBytes(db, accountId));
    // A process serves few accounts; beyond that it counts again.
    if (usage.size >= 10_000) usage.clear();
    usage.set(accountId, known);
    return known();
  };
  return {
    hasSpace: space,
    /** What one account may store; null: no limit. */
    accountQuotaBytes: quota,
    /**
     * Why this account cannot store more at present: the disks are full, or its quota is used up. Seconds old at most.
     */
    refusal: async (accountId: string): Promise<'storage_full' | 'account_full' | null> => {
      const [hasSpace, quotaBytes] = await Promise.all([space(), quota()]);
      if (!hasSpace) return 'storage_full';
      if (quotaBytes === null) return null;
      return (await usageOf(accountId)) + limits.maxUploadBytes > quotaBytes ? 'account_full' : null;
    },
  };
}

async function readDisk(
  folder: string,
): Promise<{ sizeBytes: number; freeBytes: number; hasFreeFiles: boolean }> {
  try {
    const { bsize, blocks, bavail, files, ffree } = await statfs(folder);
    return {
      sizeBytes: blocks * bsize,
      freeBytes: bavail * bsize,
      // Some file systems have no such count and say 0.
      hasFreeFiles: files === 0 || ffree >= MIN_FREE_FILES,
    };
  } catch (error) {
    // Does not exist yet: it will, on its parent's disk.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return readDisk(dirname(folder));
    throw error;
  }
}
