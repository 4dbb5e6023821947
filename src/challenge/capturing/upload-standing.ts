// Where an upload stands: the capture of a link, what its state answers, and its end once it is complete.
import type { ReceivedBytes } from '../../contract/capture-page.ts';
import type { Capture } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import type { DeadLink, FlowConflict, Link, UploadOutcome } from '../services.ts';
import type { LinkedChallenge, ReadCapture } from '../tables/reads.ts';
import { isUploadComplete } from './capture-state.ts';
import type { FinishOutcome } from './finish-upload.ts';
import { findOwn, findReady } from './link.ts';

type Parts = Pick<ChallengeParts, 'store' | 'custody'>;
/** Finishes a complete upload, or waits for the run that does (finish-upload.ts). */
export type Finish = (captureId: string) => Promise<FinishOutcome>;

export type OwnCapture = { status: 'ok' } & ReadCapture & Pick<LinkedChallenge, 'account'>;

/** A capture of this link's challenge on its own device, in any state, so that a late request gets a correct answer. */
export async function findOwnCapture(
  parts: Pick<Parts, 'store'>,
  link: Link,
  captureId: string,
): Promise<OwnCapture | DeadLink | FlowConflict> {
  const own = await findOwn(parts.store, link);
  if (own.status !== 'ok') return own;
  const found = await parts.store.findCapture(captureId);
  if (found?.challenge.id !== own.linked.challenge.id) return { status: 'not_found' };
  return { status: 'ok', ...found, account: own.linked.account };
}

/** The answer for a capture that takes no bytes, because it has them all or is not open; null if it takes bytes. */
export function endedUpload(capture: Capture): UploadOutcome | null {
  if (capture.state === 'issued' || capture.state === 'committed') return null;
  if (capture.state === 'abandoned') return { status: 'conflict', code: 'capture_not_open' };
  return { status: 'ok', received: receivedOf(capture) };
}

export function afterFinish(
  parts: Parts,
  link: Link,
  captureId: string,
  outcome: FinishOutcome,
): Promise<UploadOutcome> | UploadOutcome {
  if (outcome === 'hash_mismatch') return { status: 'conflict', code: 'hash_mismatch' };
  return outcomeNow(parts, link, captureId);
}

/** The outcome by the capture's present state, after a step that another request or the clock may have preempted. */
export async function outcomeNow(parts: Parts, link: Link, captureId: string): Promise<UploadOutcome> {
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

export function receivedOf(capture: Capture): ReceivedBytes {
  const { receivedBytes, slices, state } = capture;
  return { received_bytes: receivedBytes, announced_slices: slices.length, state };
}

/** Finishes a committed capture that has all its bytes; otherwise tells the page where it stands. */
export async function afterCommit(
  parts: Parts,
  finish: Finish,
  link: Link,
  capture: Capture,
): Promise<UploadOutcome> {
  if (isUploadComplete(capture)) return afterFinish(parts, link, capture.id, await finish(capture.id));
  return { status: 'ok', received: receivedOf(capture) };
}
