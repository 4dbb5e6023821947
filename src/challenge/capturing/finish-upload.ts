// From a complete upload to a judge job: opens its chunks one by one, checks them against the announced slices and
// stores them encrypted as it reads, then submits the capture in one transaction. Run by the request that brought the
// last byte or the commit, or by the sweep if that request died.
import { newId } from '../../base/ids.ts';
import { createLimit } from '../../base/limit.ts';
import type { Custody } from '../../keys/account-keys.ts';
import type { Capture, Challenge } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { openChunk, openPasskeyAnswer, recordingsOf, sealPasskeyAnswer } from '../seals.ts';
import { createSliceCheck, type SliceCheck } from './slice-check.ts';

const EBML_MAGIC = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
/** Offset of the file type box's name in every ISO base media file (ISO/IEC 14496-12, 4.3). */
const FTYP_OFFSET = 4;

/** Number of leading bytes by which a file is recognised. */
const HEAD_BYTES = 12;

type Parts = Pick<ChallengeParts, 'store' | 'assets' | 'custody'>;

/**
 * `superseded`: another run holds the upload or has finished it, or the challenge closed meanwhile. A crash before the
 * transaction leaves the chunks in place for the next run, and an orphan asset for the sweep.
 */
export type FinishOutcome = 'submitted' | 'hash_mismatch' | 'superseded';

/**
 * A run that has read no chunk for this long is considered dead; storing a chunk of 512 KB takes some ten milliseconds.
 */
const LEASE_MS = 30_000;
/** The lease is renewed this often while chunks are read. */
const RENEW_MS = 10_000;
/**
 * Concurrent runs of one process: each holds a few chunks in memory and shares the store and the CPU with other work.
 */
const RUNS_AT_ONCE = 4;

/** Finishes uploads for one process: concurrent calls for the same upload share one run and its answer. */
export function createUploadFinisher(parts: Parts): (captureId: string) => Promise<FinishOutcome> {
  const limit = createLimit(RUNS_AT_ONCE);
  const inFlight = new Map<string, Promise<FinishOutcome>>();
  return (captureId) => {
    const found = inFlight.get(captureId);
    if (found) return found;
    const run = limit(() => finishUpload(parts, captureId)).finally(() => inFlight.delete(captureId));
    inFlight.set(captureId, run);
    return run;
  };
}

/** One run: claims the upload, stores the video, submits the capture. */
export async function finishUpload(parts: Parts, captureId: string): Promise<FinishOutcome> {
  const claimed = await parts.store.claimFinish(captureId, LEASE_MS);
  if (!claimed) return 'superseded';
  try {
    return await storeAndSubmit(parts, claimed.capture, claimed.challenge);
  } catch (error) {
    if (error instanceof UnfitUpload) {
      const abandoned = error.reason === 'hash_mismatch' && (await parts.store.abandonCapture(captureId));
      return abandoned ? 'hash_mismatch' : 'superseded';
    }
    // If this fails too, the lease expires.
    await parts.store.releaseFinish(captureId).catch(() => {});
    throw error;
  }
}

/** Thrown while the bytes are read, so that nothing is stored. */
class UnfitUpload extends Error {
  readonly reason: 'hash_mismatch' | 'taken_away';

  constructor(reason: UnfitUpload['reason']) {
    super(reason);
    this.reason = reason;
  }
}

async function storeAndSubmit(parts: Parts, capture: Capture, challenge: Challenge): Promise<FinishOutcome> {
  const { accountId, id: challengeId } = challenge;
  const id = newId('asset');
  const check = createSliceCheck(parts.custody, challenge, capture.slices);
  const read: Reading = { fileHead: Buffer.alloc(0), check };
  const sizeBytes = capture.sizeBytes!;
  const bytes = { sizeBytes, chunks: readUpload(parts, capture, challenge, read) };
  const { sealedKey } = await parts.assets.put({ holder: recordingsOf(challenge), assetId: id, bytes });
  const asset = { id, accountId, challengeId, kind: 'liveness_video', sealedKey } as const;
  const applied = await parts.store.apply({
    challengeId,
    action: 'submitCapture',
    assets: [{ ...asset, mimeType: videoTypeOf(read.fileHead), sizeBytes }],
    capture: {
      kind: 'submit',
      id: capture.id,
      assetId: id,
      sealedPasskeyAnswer: await withHead(parts.custody, challenge, capture, check.head()),
    },
  });
  if (applied.status === 'applied') return 'submitted';
  await parts.assets.delete(id);
  return 'superseded';
}

/** The device's answer together with what it was to sign; null if it was not asked. */
async function withHead(
  custody: Custody,
  challenge: Challenge,
  capture: Capture,
  head: Buffer,
): Promise<Buffer | null> {
  const evidence = await openPasskeyAnswer(custody, challenge, capture);
  if (!evidence) return null;
  const { answer } = evidence;
  return sealPasskeyAnswer(custody, challenge, capture.id, { answer, head: head.toString('base64url') });
}

/** What reading the bytes reveals. */
interface Reading {
  /** The first bytes, which tell the file type. */
  fileHead: Buffer;
  readonly check: SliceCheck;
}

/** Yields the opened chunks in order; throws {@link UnfitUpload} if they are not what the page committed to. */
async function* readUpload(
  { store, custody }: Parts,
  capture: Capture,
  challenge: Challenge,
  read: Reading,
): AsyncGenerator<Buffer> {
  let renewedAt = performance.now();
  for (let at = 0; at < capture.sizeBytes!; ) {
    const chunk = await store.readChunk(capture.id, at);
    // Another run has finished or abandoned it, or the challenge closed.
    if (!chunk) throw new UnfitUpload('taken_away');
    const bytes = await openChunk(custody, challenge, capture.id, at, chunk);
    if (read.fileHead.length < HEAD_BYTES)
      read.fileHead = Buffer.concat([read.fileHead, bytes.subarray(0, HEAD_BYTES)]);
    if (!(await read.check.take(bytes))) throw new UnfitUpload('hash_mismatch');
    at += bytes.length;
    yield bytes;
    if (performance.now() - renewedAt < RENEW_MS) continue;
    await store.extendFinish(capture.id, LEASE_MS);
    renewedAt = performance.now();
  }
}

/**
 * The media type of a video from its first bytes, since the type that a browser states is only a claim: `video/webm`, `video/mp4`, or `application/octet-stream` for anything else.
 */
function videoTypeOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES));
  if (head.subarray(0, EBML_MAGIC.length).equals(EBML_MAGIC)) return 'video/webm';
  if (head.toString('latin1', FTYP_OFFSET, FTYP_OFFSET + 4) === 'ftyp') return 'video/mp4';
  return 'application/octet-stream';
}
