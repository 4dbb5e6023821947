// Encrypted assets in an S3-compatible object store: PREFIX/ID in one bucket.
import { Readable } from 'node:stream';
import type { ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
import { Fault } from '../../base/errors.ts';
import { type ByteRange, collectBytes, type SizedBytes, sizedBytes } from '../../base/sized-bytes.ts';
import { type BlobStore, isBlobId } from './blob-store.ts';

export interface S3Location {
  readonly bucket: string;
  /** Without slashes at its ends; empty for none. */
  readonly prefix: string;
  /** An S3-compatible store; undefined means AWS. */
  readonly endpoint: string | undefined;
}

/**
 * A connection with no traffic for this long is given up and the call is repeated, at most three times, which bounds
 * how long a judgement waits for a video. The SDK's own `requestTimeout` only writes a warning.
 */
const SILENCE_MS = 30_000;
/** No id contains a hyphen. */
const MARK_NAME = 'likeness-store';

/**
 * Keeps blobs in an existing bucket. Credentials and region come from where the AWS SDK looks for them: environment,
 * shared files, or the machine's role. S3 answers a write when it is durable and shows every object whole or not at
 * all, so there are no remains of unfinished writes.
 */
export function createS3Blobs(location: S3Location, { silenceMs = SILENCE_MS } = {}): BlobStore {
  const Bucket = location.bucket;
  const folder = location.prefix ? `${location.prefix}/` : '';
  const keyOf = (id: string): string => {
    if (!isBlobId(id)) throw new Fault('INVARIANT', 'not an asset id');
    return folder + id;
  };
  const markKey = folder + MARK_NAME;
  let connection: Promise<Connection> | undefined;
  const connect = () => {
    connection ??= loadClient(location, silenceMs);
    return connection;
  };
  const read = (Key: string, range?: ByteRange) =>
    guarded(async () => {
      const { sdk, client } = await connect();
      const Range = range && `bytes=${range.from}-${range.to}`;
      try {
        const answer = await client.send(new sdk.GetObjectCommand({ Bucket, Key, Range }));
        return answer.Body as Readable;
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return undefined;
        throw error;
      }
    });
  const write = (Key: string, bytes: Uint8Array | SizedBytes) =>
    guarded(async () => putObject(await connect(), { Bucket, Key }, sizedBytes(bytes)));
  return {
    write: async (id, bytes) => write(keyOf(id), bytes),
    read: async (id, range) => read(keyOf(id), range),
    remove: (id) =>
      guarded(async () => {
        const { sdk, client } = await connect();
        await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: keyOf(id) }));
      }),
    // Found or not: bucket and credentials work.
    check: async () => void (await read(markKey))?.destroy(),
    readMark: async () => {
      const mark = await read(markKey);
      return mark && (await collectBytes(mark)).toString('utf8');
    },
    writeMark: (mark) => write(markKey, Buffer.from(mark)),
    listOlderThan: async function* (before) {
      const { sdk, client } = await connect();
      let ContinuationToken: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await guarded(() =>
          client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: folder, ContinuationToken })),
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

/**
 * Objects up to this size are collected in memory, so that the SDK can retry by itself. Larger ones are streamed (S3
 * shows nothing of an object that breaks off), and the caller retries after a fault. Chosen, not measured: a script's
 * video has 1 to 3 MB.
 */
const COLLECTED_BYTES = 4_000_000;

async function putObject(
  { sdk, client }: Connection,
  place: { Bucket: string; Key: string },
  { sizeBytes, chunks }: SizedBytes,
): Promise<void> {
  const object = { ...place, ContentLength: sizeBytes };
  if (sizeBytes <= COLLECTED_BYTES) {
    await client.send(new sdk.PutObjectCommand({ ...object, Body: await collectBytes(chunks) }));
    return;
  }
  const Body = Readable.from(chunks);
  // The SDK does not handle errors of a body stream: the request would wait for the rest.
  const broken = new AbortController();
  Body.on('error', () => broken.abort());
  await client.send(new sdk.PutObjectCommand({ ...object, Body }), { abortSignal: broken.signal });
}

interface Connection {
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
}

/** Loaded only if assets are in S3: the SDK costs 25 MB of memory and most of a second. */
async function loadClient(location: S3Location, silenceMs: number): Promise<Connection> {
  // Suppresses eight lines of warnings at every start on Node 20, about SDK versions that the lock file does not have.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    // S3-compatible stores mostly ignore the region, but a signature needs one.
    ...(location.endpoint
      ? {
          endpoint: location.endpoint,
          forcePathStyle: true,
          region: process.env.AWS_REGION || 'us-east-1',
        }
      : {}),
    requestHandler: { connectionTimeout: 5_000, socketTimeout: silenceMs },
    maxAttempts: 4,
    // Newer checksums are AWS's own; compatible stores refuse them. Our frames are authenticated anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { name, message } = error as Error;
    // Without its cause: the SDK's errors carry the whole request, credentials' signature included.
    throw new Fault('ASSET_STORE_FAILED', `${name}: ${message}`);
  }
}
