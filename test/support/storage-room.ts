// Storage room for uploads in a test's folder: without a quota, and however full the machine's disk is.

import { systemClock } from '../../src/base/clock.ts';
import {
  createStorageRoom,
  type StorageLimits,
  type StorageRoom,
} from '../../src/challenge/assets/storage-room.ts';
import type { Database } from '../../src/storage/postgres/database.ts';

export function roomFor(db: Database, folder: string, limits: Partial<StorageLimits> = {}): StorageRoom {
  const free = { minFreeBytes: 0, accountQuotaBytes: null, maxUploadBytes: 2_000_000, ...limits };
  return createStorageRoom({ db, clock: systemClock }, { growing: [folder], assets: null }, free);
}
