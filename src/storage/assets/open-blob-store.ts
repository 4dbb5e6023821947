// Which place encrypted assets lie in: the disk below DATA_DIR, or an object store.
import { join } from 'node:path';
import type { BlobStore } from './blob-store.ts';
import { createDiskBlobs } from './disk-blobs.ts';
import { createS3Blobs } from './s3-blobs.ts';

/** The part of the configuration that says where assets lie. */
export interface BlobStoreSource {
  /** `disk`, or `s3://bucket/prefix`. */
  readonly ASSET_STORE: string;
  readonly S3_ENDPOINT?: string;
  readonly dataDir: string;
}

/** Opens the asset store of this deployment. Nothing is touched until the first call. */
export function openBlobStore(source: BlobStoreSource): BlobStore {
  if (source.ASSET_STORE === 'disk') return createDiskBlobs(join(source.dataDir, 'assets'));
  const { host, pathname } = new URL(source.ASSET_STORE);
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  return createS3Blobs({ bucket: host, prefix, endpoint: source.S3_ENDPOINT });
}
