// The upload of the video: the hash of each slice within seconds of its recording, its bytes in chunks as fast as the
// network takes them, resumable for minutes, and the commit when the recording is over. Every acknowledged chunk is on
// disk. The last chunk, or the commit if that comes last, is acknowledged when the judge job is written.
import { isDeepStrictEqual } from 'node:util';
import type { CommitRequest, ReceivedBytes, SlicesRequest } from '../../contract/capture-page.ts';
import type { Capture, Slice } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { macOfSlice, sealChunk, sealHints } from '../seals.ts';
import type { DeadLink, FlowConflict, Link, ProgressOutcome, UploadOutcome } from '../services.ts';
import { ANNOUNCE_WITHIN_MS, CHUNK_BYTES, COMMIT_SLACK_MS, UPLOAD_WITHIN_MS } from '../settings.ts';
import type { AnnouncedSlice } from '../tables/capture-upload.ts';
import type { ReadCapture } from '../tables/reads.ts';
import { isUploadComplete, progressOf } from './capture-state.ts';
import type { FinishOutcome } from './finish-upload.ts';
import { applyOnDevice } from './flow.ts';
import { findOwn, findReady } from './link.ts';
import { matchesDrawnScript } from './performed-script.ts';
import { hasTooManyChunks } from './slice-check.ts';

type Parts = Pick<ChallengeParts, 'store' | 'room' | 'custody' | 'settings'>;
/** Finishes a complete upload, or waits for the run that does (finish-upload.ts). */
type Finish = (captureId: string) => Promise<FinishOutcome>;

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

/** Finishes a committed capture that has all its bytes; otherwise tells the page where it stands. */
async function afterCommit(
  parts: Parts,
  finish: Finish,
  link: Link,
  capture: Capture,
): Promise<UploadOutcome> {
  if (isUploadComplete(capture)) return afterFinish(parts, link, capture.id, await finish(capture.id));
  return { status: 'ok', received: receivedOf(capture) };
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
  return own.status === 'ok' ? { status: 'ok', progress: progressOf(own.capture) } : own;
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

type OwnCapture = { status: 'ok' } & ReadCapture;

/** A capture of this link's challenge on its own device, in any state, so that a late request gets a correct answer. */
async function findOwnCapture(
  parts: Pick<Parts, 'store'>,
  link: Link,
  captureId: string,
): Promise<OwnCapture | DeadLink | FlowConflict> {
  const own = await findOwn(parts.store, link);
  if (own.status !== 'ok') return own;
  const found = await parts.store.findCapture(captureId);
  if (found?.challenge.id !== own.linked.challenge.id) return { status: 'not_found' };
  return { status: 'ok', ...found };
}

/** The answer for a capture that takes no bytes, because it has them all or is not open; null if it takes bytes. */
function endedUpload(capture: Capture): UploadOutcome | null {
  if (capture.state === 'issued' || capture.state === 'committed') return null;
  if (capture.state === 'abandoned') return { status: 'conflict', code: 'capture_not_open' };
  return { status: 'ok', received: receivedOf(capture) };
}

function afterFinish(
  parts: Parts,
  link: Link,
  captureId: string,
  outcome: FinishOutcome,
): Promise<UploadOutcome> | UploadOutcome {
  if (outcome === 'hash_mismatch') return { status: 'conflict', code: 'hash_mismatch' };
  return outcomeNow(parts, link, captureId);
}

/** The outcome by the capture's present state, after a step that another request or the clock may have preempted. */
async function outcomeNow(parts: Parts, link: Link, captureId: string): Promise<UploadOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  const { state } = own.capture;
  if (state === 'issued' || state === 'committed') {
    const ready = await findReady(parts, link);
    if (ready.status !== 'ok') return ready;
    const received = receivedOf(own.capture);
    // Complete, and another process is about to finish it: the page asks again.
    return { status: isUploadComplete(own.capture) ? 'ok' : 'wrong_offset', received };
  }
  const ended = endedUpload(own.capture)!;
  if (ended.status === 'ok') return ended;
  const ready = await findReady(parts, link);
  return ready.status === 'ok' ? ended : ready;
}

function receivedOf(capture: Capture): ReceivedBytes {
  const { receivedBytes, slices, state } = capture;
  return { received_bytes: receivedBytes, announced_slices: slices.length, state };
}
