// Opens the configured asset store: the disk below DATA_DIR, or an object store.
import { join } from 'node:path';
import type { BlobStore } from './blob-store.ts';
import { createDiskBlobs } from './disk-blobs.ts';
import { type StoreMarks, withMark } from './marked-blobs.ts';
import { createS3Blobs } from './s3-blobs.ts';

/** The part of the configuration that names the asset store. */
export interface BlobStoreSource {
  /** `disk`, or `s3://bucket/prefix`. */
  readonly ASSET_STORE: string;
  readonly S3_ENDPOINT?: string;
  readonly dataDir: string;
}

/** In S3 the mark is read once a minute: a bucket is not unmounted. */
const S3_TRUST_MS = 60_000;

/** Opens the asset store of this deployment. It answers only while it is the database's own. */
export function openMarkedBlobs(source: BlobStoreSource, marks: StoreMarks): BlobStore {
  const trustMs = source.ASSET_STORE === 'disk' ? 0 : S3_TRUST_MS;
  return withMark(openBlobStore(source), marks, { trustMs });
}

/** The folder of the assets; null if they are not on a disk of this machine. */
export function diskFolder(source: BlobStoreSource): string | null {
  return source.ASSET_STORE === 'disk' ? join(source.dataDir, 'assets') : null;
}

/** Opens the store without the check of its mark. Touches nothing until the first call. */
export function openBlobStore(source: BlobStoreSource): BlobStore {
  const folder = diskFolder(source);
  if (folder !== null) return createDiskBlobs(folder);
  const { host, pathname } = new URL(source.ASSET_STORE);
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  return createS3Blobs({ bucket: host, prefix, endpoint: source.S3_ENDPOINT });
}
