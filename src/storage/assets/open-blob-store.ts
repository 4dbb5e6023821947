// Which place encrypted assets lie in: the disk below DATA_DIR, or an object store.
import { join } from 'node:path';
import type { BlobStore } from './blob-store.ts';
import { createDiskBlobs } from './disk-blobs.ts';
import { type StoreMarks, withMark } from './marked-blobs.ts';
import { createS3Blobs } from './s3-blobs.ts';

/** The part of the configuration that says where assets lie. */
export interface BlobStoreSource {
  /** `disk`, or `s3://bucket/prefix`. */
  readonly ASSET_STORE: string;
  readonly S3_ENDPOINT?: string;
  readonly dataDir: string;
}

/** In S3 the mark is read once a minute: a bucket is not unmounted. */
const TRUST_IN_S3_MS = 60_000;

/** The asset store of this deployment, which answers only while it is the one that the database means. */
export function openMarkedBlobs(source: BlobStoreSource, marks: StoreMarks): BlobStore {
  const trustMs = source.ASSET_STORE === 'disk' ? 0 : TRUST_IN_S3_MS;
  return withMark(openBlobStore(source), marks, { trustMs });
}

/** The folder of the assets; null where they lie on no disk of this machine. */
export function diskFolder(source: BlobStoreSource): string | null {
  return source.ASSET_STORE === 'disk' ? join(source.dataDir, 'assets') : null;
}

/** The place itself, whatever it is. Nothing is touched until the first call. */
export function openBlobStore(source: BlobStoreSource): BlobStore {
  const folder = diskFolder(source);
  if (folder !== null) return createDiskBlobs(folder);
  const { host, pathname } = new URL(source.ASSET_STORE);
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  return createS3Blobs({ bucket: host, prefix, endpoint: source.S3_ENDPOINT });
}
