// The capture flow up to the recording: state, start, consent, camera events, and the script when recording begins.
import { newId } from '../../base/ids.ts';
import { areEqualSecrets, hashSecret, randomSecret } from '../../base/secrets.ts';
import type { ConsentRequest, IssueRequest } from '../../contract/capture-page.ts';
import type { PasskeyAsk } from '../../contract/device.ts';
import type { LivenessLevel } from '../../contract/liveness-level.ts';
import type { PageEventRequest } from '../../contract/page-event.ts';
import { scriptLimitMs } from '../../contract/script-steps.ts';
import { SLICE_MS } from '../../contract/upload-limits.ts';
import type { ChallengeChange } from '../lifecycle.ts';
import type { ChallengeParts } from '../parts.ts';
import { openRequest, sealConsent } from '../seals.ts';
import type {
  ConsentOutcome,
  DeadLink,
  EventOutcome,
  FlowConflict,
  IssueOutcome,
  Link,
  StartOutcome,
  StateOutcome,
} from '../services.ts';
import {
  ANNOUNCE_WITHIN_MS,
  CHUNK_BYTES,
  COMMIT_SLACK_MS,
  MAX_RESTARTS,
  MAX_TRIES,
  SECRET_BYTES,
  UPLOAD_WITHIN_MS,
} from '../settings.ts';
import type { LinkedChallenge } from '../tables/reads.ts';
import { captureStateOf } from './capture-state.ts';
import { coversClientText } from './consent-text.ts';
import { drawScript, openWays } from './draw-script.ts';
import { deviceConflict, deviceHash, findAlive, findReady } from './link.ts';
import { passkeyAskOf } from './passkey-ask.ts';

type Parts = Pick<ChallengeParts, 'store' | 'custody' | 'settings' | 'usualSeconds' | 'passkeys'>;

/** Reads the page's state. Changes nothing, because link previews may request it. */
export async function readState(parts: Parts, link: Link): Promise<StateOutcome> {
  const found = await findAlive(parts, link);
  if (found.status !== 'ok') return found;
  const isHere = deviceConflict(found.linked, link) === null;
  return { status: 'ok', state: await captureStateOf(parts, found.linked, isHere) };
}

/**
 * Binds the device that starts: the first one, and each later one as long as no recording is under way on another. The
 * page may send a token that it made itself, so that a lost response does not lock the person out: the same device
 * starting again counts as the same start.
 */
export async function start(parts: Parts, link: Link): Promise<StartOutcome> {
  const found = await findAlive(parts, link);
  if (found.status !== 'ok') return found;
  const device = deviceHash(link.device) ? link.device! : randomSecret(SECRET_BYTES);
  await bind(parts, found.linked, hashSecret(device));
  const now = await findAlive(parts, link);
  if (now.status !== 'ok') return now;
  const conflict = deviceConflict(now.linked, { ...link, device });
  if (conflict) return conflict;
  return {
    status: 'ok',
    answer: { device_token: device, state: await captureStateOf(parts, now.linked, true) },
  };
}

/** Binds the device if the challenge's state allows it; one of several at once. */
async function bind(
  { store }: Pick<Parts, 'store'>,
  { challenge }: LinkedChallenge,
  bindDevice: Buffer,
): Promise<void> {
  const { id: challengeId, status, deviceTokenHash: bound } = challenge;
  if (status === 'created') await store.apply({ challengeId, action: 'open', bindDevice });
  else if (bound && !areEqualSecrets(bound, bindDevice))
    await store.apply({ challengeId, action: 'takeOver', replaces: bound, bindDevice, sealedConsent: null });
}

/**
 * Records a consent decision. Declining withdraws an earlier consent and abandons the capture made under it; the
 * challenge stays open. A consent to a text without the client's own part is refused.
 */
export async function recordConsent(parts: Parts, link: Link, body: ConsentRequest): Promise<ConsentOutcome> {
  const found = await findReady(parts, link);
  if (found.status !== 'ok') return found;
  const { challenge } = found.linked;
  if (!challenge.request.require_consent) return { status: 'conflict', code: 'consent_not_required' };
  const { decision, text_version, text_sha256, language } = body;
  const given = decision === 'given';
  if (given) {
    const { words } = (await openRequest(parts.custody, challenge)).flow;
    if (!coversClientText(text_version, words)) return { status: 'conflict', code: 'consent_required' };
  }
  const sealed =
    given && (await sealConsent(parts.custody, challenge, { text_version, text_sha256, language }));
  const refused = await applyOnDevice(parts, link, {
    challengeId: challenge.id,
    ...(sealed
      ? { action: 'giveConsent', sealedConsent: sealed }
      : { action: 'declineConsent', sealedConsent: null, capture: { kind: 'abandon' } }),
  });
  return refused ?? readState(parts, link);
}

export async function recordEvent(
  parts: Parts,
  link: Link,
  { name, cause }: PageEventRequest,
): Promise<EventOutcome> {
  const found = await findReady(parts, link);
  if (found.status !== 'ok') return found;
  const refused = await applyOnDevice(parts, link, {
    challengeId: found.linked.challenge.id,
    ...(name === 'camera_granted'
      ? { action: 'grantCamera' }
      : { action: 'denyCamera', cause: cause ?? null }),
  });
  return refused ?? { status: 'ok' };
}

/**
 * Takes bytes that say only whether the way from this page lets a recording through, before there is one. Keeps nothing.
 */
export async function tryWay(
  parts: Parts,
  link: Link,
  read: () => Promise<Uint8Array>,
): Promise<EventOutcome> {
  const found = await findReady(parts, link);
  if (found.status !== 'ok') return found;
  await read();
  return { status: 'ok' };
}

/**
 * Called when recording starts: draws the script for this one capture and hands out its first step. `way` leaves out
 * what the person cannot do, if the client allows it.
 */
export async function issueCapture(
  parts: Parts & Pick<ChallengeParts, 'room'>,
  link: Link,
  { way }: IssueRequest = {},
): Promise<IssueOutcome> {
  const found = await findReady(parts, link);
  if (found.status !== 'ok') return found;
  const { challenge, readAt } = found.linked;
  // Sandbox challenges are neither recorded nor judged.
  if (challenge.sandbox) return { status: 'conflict', code: 'sandbox' };
  if (challenge.request.require_consent && !challenge.consentGivenAt)
    return { status: 'conflict', code: 'consent_required' };
  const { livenessPrompts, livenessJustInTime } = parts.settings;
  const { accessible_way: policy } = challenge.request;
  if (way && !openWays(livenessPrompts, policy).includes(way))
    return { status: 'conflict', code: 'way_not_open' };
  const { maxUploadBytes, maxWaitingPerWorker } = parts.settings;
  // Checked here and not at the upload, so that nobody records in vain and every accepted recording is judged.
  if (await parts.store.isQueueFull(challenge.accountId, maxWaitingPerWorker))
    return { status: 'unavailable', because: 'queue_full' };
  const refusal = await parts.room.refusal(challenge.accountId);
  if (refusal) return { status: 'unavailable', because: refusal };
  const retryAfterSeconds = challenge.request.liveness_only
    ? null
    : await parts.store.findPause(challenge.id);
  if (retryAfterSeconds !== null) return { status: 'paused', retryAfterSeconds };
  const passkey = await passkeyAskOf(parts, found.linked);
  const level = levelOf(found.linked, passkey);
  const script = {
    ...drawScript(level, livenessPrompts, way ?? null),
    ...(livenessJustInTime === 'require' && { just_in_time: true as const }),
  };
  const commitWithinMs = scriptLimitMs(script) + COMMIT_SLACK_MS;
  const id = newId('capture');
  const limits = { maxRestarts: MAX_RESTARTS, maxTries: MAX_TRIES };
  const refused = await applyOnDevice(
    parts,
    link,
    {
      challengeId: challenge.id,
      action: 'issueCapture',
      capture: { kind: 'issue', id, level, script, commitWithinMs, asksPasskey: passkey !== null, ...limits },
    },
    challenge.triesUsed < MAX_TRIES ? 'capture_under_way' : 'no_tries_left',
  );
  if (refused) return withRetryAfter(refused, parts, link);
  return {
    status: 'ok',
    capture: {
      capture_id: id,
      // The later steps are handed out as the person reaches them.
      script: { ...script, steps: script.steps.slice(0, 1) },
      step_count: script.steps.length,
      max_bytes: maxUploadBytes,
      chunk_bytes: CHUNK_BYTES,
      slice_ms: SLICE_MS,
      announce_within_ms: ANNOUNCE_WITHIN_MS,
      commit_within_ms: commitWithinMs,
      upload_within_ms: UPLOAD_WITHIN_MS,
      expires_within_ms: Math.max(0, challenge.expiresAt.getTime() - readAt.getTime()),
      passkey,
    },
  };
}

/**
 * The level of the next script: lower where a passkey will sign, until a recording was sent back because none did. That
 * is decided before the face is looked at, so it tells nothing about it.
 */
function levelOf({ challenge, capture }: LinkedChallenge, passkey: PasskeyAsk | null): LivenessLevel {
  const { liveness_level: level, liveness_level_when_bound: whenBound } = challenge.request;
  if (!whenBound || !passkey || passkey.known.length === 0) return level;
  if (!capture) return whenBound;
  return capture.rejectedReason === 'device_missing' ? level : capture.level;
}

/** Adds when the last capture's deadline passes: then another capture may begin. */
async function withRetryAfter(
  refused: DeadLink | FlowConflict,
  parts: Parts,
  link: Link,
): Promise<DeadLink | FlowConflict> {
  if (refused.status !== 'conflict' || refused.code !== 'capture_under_way') return refused;
  const now = await findReady(parts, link);
  if (now.status !== 'ok' || !now.linked.capture) return refused;
  const { capture: last, readAt } = now.linked;
  const deadline = last.uploadDeadline ?? last.commitDeadline;
  const leftMs = deadline.getTime() - readAt.getTime();
  return leftMs > 0 ? { ...refused, retryAfterSeconds: Math.ceil(leftMs / 1000) } : refused;
}

/** A change that only the bound device may make, without that device. */
type OnDevice<Change = Extract<ChallengeChange, { readonly device: Buffer }>> = Change extends unknown
  ? Omit<Change, 'device'>
  : never;

/**
 * Applies a change that only the bound device may make. Resolves with the reason for a refusal, or null.
 * @param otherwise the reason if the challenge itself was ready
 */
export async function applyOnDevice(
  parts: Pick<ChallengeParts, 'store' | 'custody'>,
  link: Link,
  change: OnDevice,
  otherwise: FlowConflict['code'] = 'processing',
): Promise<DeadLink | FlowConflict | null> {
  const device = deviceHash(link.device);
  if (!device) return { status: 'conflict', code: 'other_device' };
  const applied = await parts.store.apply({ ...change, device });
  if (applied.status === 'applied') return null;
  const now = await findReady(parts, link);
  return now.status === 'ok' ? { status: 'conflict', code: otherwise } : now;
}
