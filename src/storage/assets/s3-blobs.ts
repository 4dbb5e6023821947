// Encrypted assets in an S3-compatible object store: PREFIX/ID in one bucket.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Fault } from '../../base/errors.ts';
import { type BlobStore, isBlobId } from './blob-store.ts';

export interface S3Location {
  readonly bucket: string;
  /** Without slashes at its ends; empty for none. */
  readonly prefix: string;
  /** An S3-compatible store; undefined means AWS. */
  readonly endpoint: string | undefined;
}

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Keeps blobs in a bucket that exists. Credentials and region come from where the AWS SDK looks for them: environment,
 * shared files, or the machine's role. S3 answers a write when it is durable, and shows every object whole or not at
 * all, so there are no remains to clear.
 */
export function createS3Blobs(location: S3Location): BlobStore {
  const client = new S3Client({
    // S3-compatible stores mostly ignore the region, but a signature needs one.
    ...(process.env.AWS_REGION ? {} : { region: 'us-east-1' }),
    ...(location.endpoint ? { endpoint: location.endpoint, forcePathStyle: true } : {}),
    requestHandler: { connectionTimeout: 5_000, requestTimeout: REQUEST_TIMEOUT_MS },
    maxAttempts: 4,
    // Newer checksums are AWS's own; compatible stores refuse them. Our frames carry their own proof.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const Bucket = location.bucket;
  const folder = location.prefix ? `${location.prefix}/` : '';
  const keyOf = (id: string): string => {
    if (!isBlobId(id)) throw new Fault('INVARIANT', 'not an asset id');
    return folder + id;
  };
  return {
    write: (id, bytes) =>
      guarded(async () => {
        await client.send(new PutObjectCommand({ Bucket, Key: keyOf(id), Body: bytes }));
      }),
    read: (id) =>
      guarded(async () => {
        try {
          const answer = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(id) }));
          return Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
        } catch (error) {
          if ((error as Error).name === 'NoSuchKey') return undefined;
          throw error;
        }
      }),
    remove: (id) =>
      guarded(async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(id) }));
      }),
    listOlderThan: async function* (before) {
      let ContinuationToken: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await guarded(() =>
          client.send(new ListObjectsV2Command({ Bucket, Prefix: folder, ContinuationToken })),
        );
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const id = Key.slice(folder.length);
          if (LastModified && LastModified < before && isBlobId(id)) yield id;
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    },
  };
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { name, message } = error as Error;
    throw new Fault('ASSET_STORE_FAILED', `${name}: ${message}`, { cause: error });
  }
}
