// The upload of the video: the hash of each slice within seconds of its recording, its bytes in chunks as fast as the
// network takes them, resumable for minutes, and the commit when the recording is over. Every acknowledged chunk is on
// disk. The last chunk, or the commit if that comes last, is acknowledged when the judge job is written.
import { isDeepStrictEqual } from 'node:util';
import type { CommitRequest, ReceivedBytes, SlicesRequest } from '../../contract/capture-page.ts';
import type { Capture, Slice } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { macOfSlice, sealChunk, sealHints } from '../seals.ts';
import type { Link, ProgressOutcome, UploadOutcome } from '../services.ts';
import { ANNOUNCE_WITHIN_MS, CHUNK_BYTES, COMMIT_SLACK_MS, UPLOAD_WITHIN_MS } from '../settings.ts';
import type { AnnouncedSlice } from '../tables/capture-upload.ts';
import { isUploadComplete, progressOf } from './capture-state.ts';
import { applyOnDevice } from './flow.ts';
import { findReady } from './link.ts';
import { openAskOf } from './passkey-ask.ts';
import { matchesDrawnScript } from './performed-script.ts';
import { hasTooManyChunks } from './slice-check.ts';
import {
  afterCommit,
  afterFinish,
  endedUpload,
  type Finish,
  findOwnCapture,
  type OwnCapture,
  outcomeNow,
  receivedOf,
} from './upload-standing.ts';

type Parts = Pick<ChallengeParts, 'store' | 'room' | 'custody' | 'settings' | 'passkeys'>;
/** Notes announced slices. The page announces them before it has had time for anything but recording them. */
export async function announceSlices(
  parts: Parts,
  link: Link,
  captureId: string,
  { slices, steps }: SlicesRequest,
): Promise<UploadOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  const { capture, challenge } = own;
  const noted: Pick<Slice, 'size_bytes' | 'mac'>[] = [...capture.slices];
  for (const { index, sha256, size_bytes, to_ms: toMs } of slices) {
    const [before, there] = [noted[index - 1], noted[index]];
    const macBefore = before ? Buffer.from(before.mac, 'base64') : null;
    const mac = await macOfSlice(parts.custody, challenge, macBefore, Buffer.from(sha256, 'hex'));
    // The same announcement again, because its first answer was lost.
    const isSame = there?.size_bytes === size_bytes && mac.equals(Buffer.from(there.mac, 'base64'));
    if (isSame) continue;
    const maxBytes = parts.settings.maxUploadBytes;
    const withinMs = ANNOUNCE_WITHIN_MS;
    const slice = { captureId, index, sizeBytes: size_bytes, toMs, mac, withinMs, maxBytes };
    // A finished capture has no announcements any more, so any that arrives now would be out of order.
    if (capture.state !== 'issued') return whyNotAnnounced(parts, link, captureId, slice);
    if (index !== noted.length) return { status: 'wrong_slice', received: standing(capture, noted) };
    if (!(await parts.store.announceSlice(slice))) return whyNotAnnounced(parts, link, captureId, slice);
    noted.push({ size_bytes, mac: mac.toString('base64') });
  }
  const received = standing(capture, noted);
  if (steps === undefined) return { status: 'ok', received };
  const hasNew = noted.length > capture.slices.length;
  const handedOut = hasNew ? await handOutSteps(parts, capture, steps) : stepsOf(capture);
  return { status: 'ok', received: { ...received, ...handedOut } };
}

const standing = (capture: Capture, noted: readonly unknown[]): ReceivedBytes => ({
  ...receivedOf(capture),
  announced_slices: noted.length,
});

/**
 * Hands out the steps requested with a slice. What was recorded before them is announced by then, so it cannot depend
 * on them.
 */
async function handOutSteps(
  { store }: Pick<Parts, 'store'>,
  capture: Capture,
  wanted: number,
): Promise<Pick<ReceivedBytes, 'steps'>> {
  const { id, script, handedOutMs } = capture;
  const most = script.just_in_time ? handedOutMs.length + 1 : script.steps.length;
  const count = Math.min(wanted, most, script.steps.length);
  if (count <= handedOutMs.length) return stepsOf(capture);
  // 0 if the capture was committed or abandoned meanwhile; the steps handed out before stay known.
  const handedOut = await store.handOutSteps(id, count);
  return { steps: script.steps.slice(0, Math.max(handedOut, handedOutMs.length)) };
}

const stepsOf = ({ script, handedOutMs }: Capture): Pick<ReceivedBytes, 'steps'> => ({
  steps: script.steps.slice(0, handedOutMs.length),
});

/** Why a slice was not noted, by the capture's present state. */
async function whyNotAnnounced(
  parts: Parts,
  link: Link,
  captureId: string,
  { index, sizeBytes, toMs, maxBytes }: AnnouncedSlice,
): Promise<UploadOutcome> {
  const ready = await findReady(parts, link);
  if (ready.status !== 'ok') return ready;
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  const { capture, readAt } = own;
  const isOver = capture.committedAt === null && capture.commitDeadline <= readAt;
  if (isOver) return refuseLate(parts, captureId, 'slice_too_late');
  if (capture.state !== 'issued') return { status: 'conflict', code: 'capture_not_open' };
  // Another request was first.
  if (capture.slices.length !== index) return { status: 'wrong_slice', received: receivedOf(capture) };
  if ((capture.sizeBytes ?? 0) + sizeBytes > maxBytes) return { status: 'conflict', code: 'too_large' };
  const lastMs = capture.slices.at(-1)?.to_ms ?? 0;
  const sinceIssueMs = readAt.getTime() - capture.issuedAt.getTime();
  const early = toMs <= lastMs || toMs > sinceIssueMs;
  return early
    ? { status: 'conflict', code: 'slice_too_early' }
    : refuseLate(parts, captureId, 'slice_too_late');
}

/** A recording that was lost because nobody was there to take it costs no try. */
async function refuseLate(
  { store }: Pick<Parts, 'store'>,
  captureId: string,
  code: 'slice_too_late' | 'commit_too_late',
): Promise<UploadOutcome> {
  await store.returnTryOfAbsence(captureId);
  return { status: 'conflict', code };
}

/** Ends the recording: no slice follows. If every byte has arrived already, this submits the capture. */
export async function commitCapture(
  parts: Parts,
  finish: Finish,
  link: Link,
  captureId: string,
  body: CommitRequest,
): Promise<UploadOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  const { script: performedScript, slices } = body;
  // The same commit again, because its first answer was lost.
  const isSame = own.capture.sizeBytes === body.size_bytes;
  if (isSame && isDeepStrictEqual(own.capture.performedScript, performedScript))
    return afterCommit(parts, finish, link, own.capture);
  const { state, script, handedOutMs } = own.capture;
  const announced = own.capture.slices.length === slices && own.capture.sizeBytes === body.size_bytes;
  if (state === 'issued' && !announced) return { status: 'wrong_slice', received: receivedOf(own.capture) };
  // Prompts that were never handed out cannot have been shown.
  const isOpen = state === 'issued' || state === 'committed';
  if (isOpen && !(handedOutMs.length === script.steps.length && matchesDrawnScript(performedScript, script)))
    return { status: 'conflict', code: 'other_script' };
  const { size_bytes: sizeBytes, mime_type: mimeType, duration_ms, hints } = body;
  // The quota also counts uploads that are being committed now. Free disk space is not checked: it may be freed before
  // the bytes arrive.
  const accountQuotaBytes = await parts.room.accountQuotaBytes();
  const refused = await applyOnDevice(
    parts,
    link,
    {
      challengeId: own.challenge.id,
      action: 'commitCapture',
      capture: {
        kind: 'commit',
        id: captureId,
        performedScript,
        withinMs: performedScript.steps.at(-1)!.to_ms + COMMIT_SLACK_MS,
        slices,
        sizeBytes,
        mimeType,
        sealedHints: await sealHints(parts.custody, own.challenge, captureId, { ...hints, duration_ms }),
        uploadWithinMs: UPLOAD_WITHIN_MS,
        accountQuotaBytes,
      },
    },
    own.capture.state === 'issued' ? 'commit_too_late' : 'capture_not_open',
  );
  if (!refused) {
    const now = await findOwnCapture(parts, link, captureId);
    return now.status === 'ok' ? afterCommit(parts, finish, link, now.capture) : now;
  }
  if (await isAccountFull(parts, own, sizeBytes)) return { status: 'unavailable', because: 'account_full' };
  return refused.status === 'conflict' && refused.code === 'commit_too_late'
    ? refuseLate(parts, captureId, refused.code)
    : refused;
}

/** Whether the quota refused a commit that arrived in time. */
async function isAccountFull(
  parts: Parts,
  { capture, challenge, readAt }: OwnCapture,
  sizeBytes: number,
): Promise<boolean> {
  const quota = await parts.room.accountQuotaBytes();
  if (quota === null || capture.state !== 'issued' || capture.commitDeadline <= readAt) return false;
  return (await parts.store.countStoredBytes(challenge.accountId)) + sizeBytes > quota;
}

export async function readProgress(parts: Parts, link: Link, captureId: string): Promise<ProgressOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  return { status: 'ok', progress: progressOf(own.capture, await openAskOf(parts, own, own.capture)) };
}

/**
 * Takes one chunk. Its bytes are read only if they are wanted: an offset other than the number of bytes received so
 * far, a capture that is not open, or somebody else's link costs no memory. If every byte has arrived but the capture
 * was not finished (a crash between the two), any call finishes it.
 */
export async function acceptBytes(
  parts: Parts,
  finish: Finish,
  link: Link,
  captureId: string,
  offset: number,
  read: () => Promise<Uint8Array>,
): Promise<UploadOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  const { capture, challenge } = own;
  const ended = endedUpload(capture);
  if (ended) return ended;
  const finishNow = async () => afterFinish(parts, link, captureId, await finish(captureId));
  if (isUploadComplete(capture)) return finishNow();
  if (offset !== capture.receivedBytes) return { status: 'wrong_offset', received: receivedOf(capture) };
  if (hasTooManyChunks(capture)) return { status: 'conflict', code: 'too_many_chunks' };
  if (!(await parts.room.hasSpace())) return { status: 'unavailable', because: 'storage_full' };
  const bytes = await read();
  if (bytes.length > CHUNK_BYTES || offset + bytes.length > capture.sizeBytes!) {
    return { status: 'conflict', code: 'too_large' };
  }
  if (bytes.length === 0) return { status: 'ok', received: receivedOf(capture) };
  const sealedBytes = await sealChunk(parts.custody, challenge, captureId, offset, bytes);
  const stored = await parts.store.appendChunk({ captureId, offset, lengthBytes: bytes.length, sealedBytes });
  if (stored.status === 'refused') {
    const now = await outcomeNow(parts, link, captureId);
    // The bytes were the next ones, so only a deadline can have passed. The sweep lags behind the clock by some
    // seconds.
    if (now.status === 'wrong_offset' && now.received.received_bytes === offset)
      return {
        status: 'conflict',
        code: now.received.state === 'issued' ? 'commit_too_late' : 'capture_not_open',
      };
    // Another request brought the same bytes first, and they were the last.
    return now.status === 'ok' && now.received.state === 'committed' ? finishNow() : now;
  }
  const { receivedBytes, state } = stored;
  if (stored.isComplete) return finishNow();
  return { status: 'ok', received: { ...receivedOf(capture), received_bytes: receivedBytes, state } };
}
