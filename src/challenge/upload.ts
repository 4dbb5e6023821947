// The video's way in: commit of its hash within seconds of the recording, then its bytes in chunks, resumable over
// minutes. Every chunk acknowledged is on disk; the last one is acknowledged when the judge job is written.
import type { CommitRequest } from '../contract/capture-page.ts';
import { progressOf } from './capture-state.ts';
import type { Capture, Challenge } from './challenge.ts';
import type { FinishOutcome } from './finish-upload.ts';
import { applyOnDevice } from './flow.ts';
import { ACTIONS } from './lifecycle.ts';
import { findOwn, findReady } from './link.ts';
import { livesUp } from './lived-script.ts';
import type { ChallengeParts } from './parts.ts';
import { macOfVideo, sealChunk, sealHints } from './seals.ts';
import type {
  AcceptOutcome,
  CommitOutcome,
  DeadLink,
  FlowConflict,
  Link,
  ProgressOutcome,
} from './services.ts';
import { CHUNK_BYTES, COMMIT_SLACK_MS, UPLOAD_WITHIN_MS } from './settings.ts';

type Parts = Pick<ChallengeParts, 'store' | 'room' | 'custody' | 'settings'>;
/** Finishes a complete upload, or waits for the run that does (finish-upload.ts). */
type Finish = (captureId: string) => Promise<FinishOutcome>;

/** The page commits to a hash before it has had time for anything but recording. */
export async function commitCapture(
  parts: Parts,
  link: Link,
  captureId: string,
  body: CommitRequest,
): Promise<CommitOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  const videoMac = await macOfVideo(parts.custody, own.challenge, Buffer.from(body.sha256, 'hex'));
  // The same commit again, its first answer lost.
  if (own.capture.videoMac?.equals(videoMac)) return { status: 'ok', received: receivedOf(own.capture) };
  if (body.size_bytes > parts.settings.maxUploadBytes) return { status: 'conflict', code: 'too_large' };
  const { script: livedScript } = body;
  if (!livesUp(livedScript, own.capture.script)) return { status: 'conflict', code: 'other_script' };
  const { size_bytes: sizeBytes, mime_type: mimeType, duration_ms, hints } = body;
  // Counted with the uploads that others commit to just now; a full disk may be mended until the bytes come.
  const accountQuotaBytes = await parts.room.accountQuotaBytes();
  const refused = await applyOnDevice(
    parts,
    link,
    {
      challengeId: own.challenge.id,
      action: ACTIONS.commitCapture,
      needsConsent: true,
      capture: {
        kind: 'commit',
        id: captureId,
        livedScript,
        withinMs: livedScript.steps.at(-1)!.to_ms + COMMIT_SLACK_MS,
        videoMac,
        sizeBytes,
        mimeType,
        sealedHints: await sealHints(parts.custody, own.challenge, captureId, { ...hints, duration_ms }),
        uploadWithinMs: UPLOAD_WITHIN_MS,
        accountQuotaBytes,
      },
    },
    own.capture.state === 'issued' ? 'commit_too_late' : 'capture_not_open',
  );
  if (!refused) return { status: 'ok', received: { received_bytes: 0, state: 'committed' } };
  return (await isAccountFull(parts, own, sizeBytes))
    ? { status: 'unavailable', because: 'account_full' }
    : refused;
}

/** Whether it was the quota that refused a commit which came in time. */
async function isAccountFull(
  parts: Parts,
  { capture, challenge }: OwnCapture,
  sizeBytes: number,
): Promise<boolean> {
  const quota = await parts.room.accountQuotaBytes();
  if (quota === null || capture.state !== 'issued' || capture.commitDeadline <= new Date()) return false;
  return (await parts.store.countStoredBytes(challenge.accountId)) + sizeBytes > quota;
}

export async function readProgress(parts: Parts, link: Link, captureId: string): Promise<ProgressOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  return own.status === 'ok' ? { status: 'ok', progress: progressOf(own.capture) } : own;
}

/**
 * Takes one chunk. Its bytes are read only where they are wanted: an offset that is not the number of bytes received so
 * far, a capture that is not open and a link of somebody else cost no memory. Where every byte is there but the capture
 * was not finished (a crash between the two), any call finishes it.
 */
export async function acceptBytes(
  parts: Parts,
  finish: Finish,
  link: Link,
  captureId: string,
  offset: number,
  read: () => Promise<Uint8Array>,
): Promise<AcceptOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  const { capture, challenge } = own;
  const ended = endedUpload(capture);
  if (ended) return ended;
  const finishNow = async () => afterFinish(parts, link, captureId, await finish(captureId));
  if (capture.receivedBytes === capture.sizeBytes) return finishNow();
  if (offset !== capture.receivedBytes) return { status: 'wrong_offset', received: receivedOf(capture) };
  if (!(await parts.room.hasSpace())) return { status: 'unavailable', because: 'storage_full' };
  const bytes = await read();
  if (bytes.length > CHUNK_BYTES || offset + bytes.length > capture.sizeBytes!) {
    return { status: 'conflict', code: 'too_large' };
  }
  if (bytes.length === 0) return { status: 'ok', received: receivedOf(capture) };
  const sealedBytes = await sealChunk(parts.custody, challenge, captureId, offset, bytes);
  const stored = await parts.store.appendChunk({ captureId, offset, lengthBytes: bytes.length, sealedBytes });
  if (stored.status === 'refused') {
    const now = await whyRefused(parts, link, captureId);
    // The same bytes came first by another request, and were the last.
    return now.status === 'ok' && now.received.state === 'committed' ? finishNow() : now;
  }
  if (stored.receivedBytes === capture.sizeBytes) return finishNow();
  return { status: 'ok', received: { received_bytes: stored.receivedBytes, state: 'committed' } };
}

type OwnCapture = { status: 'ok'; capture: Capture; challenge: Challenge };

/** A capture of this link's challenge, on its own device, whatever the states: a late question gets a true answer. */
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

/** The answer for a capture that takes no bytes: it has them all, or is not open. */
function endedUpload(capture: Capture): AcceptOutcome | null {
  if (capture.state === 'committed') return null;
  if (capture.state === 'issued' || capture.state === 'abandoned') {
    return { status: 'conflict', code: 'capture_not_open' };
  }
  return { status: 'ok', received: receivedOf(capture) };
}

function afterFinish(
  parts: Parts,
  link: Link,
  captureId: string,
  outcome: FinishOutcome,
): Promise<AcceptOutcome> | AcceptOutcome {
  if (outcome === 'hash_mismatch') return { status: 'conflict', code: 'hash_mismatch' };
  return whyRefused(parts, link, captureId);
}

/** What a capture is now, after a step that another request or the clock may have taken first. */
async function whyRefused(parts: Parts, link: Link, captureId: string): Promise<AcceptOutcome> {
  const own = await findOwnCapture(parts, link, captureId);
  if (own.status !== 'ok') return own;
  if (own.capture.state === 'committed') {
    const ready = await findReady(parts, link);
    if (ready.status !== 'ok') return ready;
    const received = receivedOf(own.capture);
    // Complete, and another process is about to finish it: the page asks again.
    return { status: received.received_bytes === own.capture.sizeBytes ? 'ok' : 'wrong_offset', received };
  }
  const ended = endedUpload(own.capture)!;
  if (ended.status === 'ok') return ended;
  const ready = await findReady(parts, link);
  return ready.status === 'ok' ? ended : ready;
}

function receivedOf(capture: Capture) {
  return { received_bytes: capture.receivedBytes, state: capture.state };
}
