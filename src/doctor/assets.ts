// The doctor's check of the asset store: written data can be read back, and there is room for more.
import { statfs } from 'node:fs/promises';
import { Fault } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { collectBytes } from '../base/sized-bytes.ts';
import { DEFAULT_QUOTA_SHARE } from '../challenge/assets/storage-room.ts';
import { createStoreMarks } from '../challenge/tables/asset-store-marks.ts';
import type { Config } from '../config/config.ts';
import { diskFolder, openBlobStore, openMarkedBlobs } from '../storage/assets/open-blob-store.ts';
import type { OpenDatabase } from '../storage/open-database.ts';
import { type Finding, FREE_SPACE } from './check.ts';

/** With less free space than this, a few thousand videos fill the disk. */
const LOW_DISK_BYTES = 2_000_000_000;

/** Writes, reads and removes an asset. Without a database it cannot tell whose store this is. */
export async function checkAssets(config: Config, database: OpenDatabase | undefined): Promise<Finding> {
  // Only the database knows whether it is its own store.
  const blobs = database ? openMarkedBlobs(config, createStoreMarks(database.db)) : openBlobStore(config);
  await blobs.check();
  const [id, bytes] = [newId('asset'), Buffer.from('likeness doctor')];
  await blobs.write(id, bytes);
  const stored = await blobs.read(id);
  const same = stored && (await collectBytes(stored)).equals(bytes);
  await blobs.remove(id);
  if (!same) throw new Fault('ASSET_STORE_FAILED', 'an asset could not be read back as it was written');
  if (config.ASSET_STORE !== 'disk') return { status: 'ok', detail: `${config.ASSET_STORE} is writable` };
  const { bavail, bsize, blocks } = await statfs(diskFolder(config) ?? config.dataDir);
  const [free, size] = [bavail * bsize, blocks * bsize];
  const quota = config.limits.accountStorageBytes ?? size * DEFAULT_QUOTA_SHARE;
  const detail = `${config.dataDir} is writable, ${gigabytes(free)} free; one account may fill ${gigabytes(quota)}`;
  const mend = FREE_SPACE;
  if (free < config.limits.minFreeDiskBytes) {
    const least = gigabytes(config.limits.minFreeDiskBytes);
    return { status: 'failed', detail: `${detail}; below ${least} no video is accepted`, mend };
  }
  return free >= LOW_DISK_BYTES ? { status: 'ok', detail } : { status: 'warning', detail, mend };
}

/** The remedy if the store fails. */
export function mendAssets(config: Config): string {
  return config.ASSET_STORE === 'disk'
    ? `make ${config.dataDir} writable for this user, or choose another DATA_DIR`
    : 'check bucket, S3_ENDPOINT, and the credentials (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role)';
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
