// What a judgement does to its challenge: completes it with a result, gives it another try, or expires it if no time is
// left for one. Each is one transaction; a second run finds nothing to do.
import type { RetryReason } from '../../contract/capture-page.ts';
import type { FaceTemplate } from '../../contract/face-template.ts';
import { NOTHING_PASSED } from '../../contract/result.ts';
import type { Capture, Challenge, StoredTry } from '../challenge.ts';
import { ACTIONS } from '../lifecycle.ts';
import type { SettlementParts } from '../parts.ts';
import { sealMadePasskey, sealTry } from '../seals.ts';
import { MAX_TRIES } from '../settings.ts';
import { type Completion, completeChallenge, isLowered } from './completion.ts';
import { deliveriesOf } from './deliveries.ts';
import { findPasskey, type PasskeyFinding } from './passkey-finding.ts';

/** A judged capture, as the judge task hands it over. */
export interface Judgement extends Omit<Completion, 'enrol' | 'passkey' | 'level'> {
  /** Why the capture could not be judged; null if it was. A presentation attack and a mismatch count as judged. */
  readonly retry: RetryReason | null;
  readonly template: FaceTemplate | null;
  /** What operators see of the try; null if nothing was judged. */
  readonly tried: StoredTry | null;
}

/** The judgement of a capture that could not be judged: nothing passed, nothing was seen. */
export function notJudged(reason: string, retry: RetryReason | null): Judgement {
  return {
    liveness: NOTHING_PASSED,
    reasons: [reason],
    cues: {},
    retry,
    template: null,
    bestFrame: null,
    compared: [],
    tried: null,
  };
}

export type Settlement = 'completed' | 'retried' | 'expired' | 'superseded';

interface Judged {
  readonly capture: Capture;
  readonly challenge: Challenge;
}

/** Settles a capture. `superseded`: it was settled, cancelled or erased meanwhile, and nothing was written. */
export async function settleJudgement(
  parts: SettlementParts,
  judged: Judged,
  judgement: Judgement,
): Promise<Settlement> {
  const passkey = await findPasskey(parts, judged);
  const retry = isLackingDevice(judged, passkey) ? 'device_missing' : judgement.retry;
  if (retry && judged.challenge.triesUsed < MAX_TRIES)
    return sendBack(parts, judged, { reason: retry, tried: judgement.tried, passkey });
  return complete(parts, judged, judgement, passkey);
}

/** Whether less was asked of the person because a passkey would sign, and none did. */
const isLackingDevice = ({ capture, challenge }: Judged, passkey: PasskeyFinding | null): boolean =>
  isLowered(challenge, capture.level) && passkey?.status !== 'signed';

/**
 * Asks for another recording in place of one that is lost or broke off its judgement every time. That never fails a
 * check, as nothing was judged; it costs a try, so that a video made to kill workers draws no more scripts than others.
 */
export async function settleUnjudgeable(parts: SettlementParts, judged: Judged): Promise<Settlement> {
  const passkey = await findPasskey(parts, judged);
  return sendBack(parts, judged, { reason: 'video_unreadable', tried: null, passkey });
}

/** Asks the person for another recording: this one could not be judged, through no fault of theirs. */
export async function settleUnavailable(parts: SettlementParts, judged: Judged): Promise<Settlement> {
  const passkey = await findPasskey(parts, judged);
  return sendBack(parts, judged, { reason: 'video_unreadable', tried: null, passkey, returnsTry: true });
}

interface SentBack {
  readonly reason: RetryReason;
  readonly tried: StoredTry | null;
  readonly passkey: PasskeyFinding | null;
  readonly returnsTry?: boolean;
}

async function sendBack(
  parts: SettlementParts,
  { capture, challenge }: Judged,
  { reason, tried, passkey, returnsTry = false }: SentBack,
): Promise<Settlement> {
  const sealedTry = tried && (await sealTry(parts.custody, challenge, capture.id, tried));
  const made = passkey?.status === 'made' ? passkey.key : null;
  const sealedMadePasskey = made && (await sealMadePasskey(parts.custody, challenge, made));
  const rejected = {
    kind: 'rejected',
    id: capture.id,
    reason,
    returnsTry,
    sealedTry,
    sealedMadePasskey,
  } as const;
  const challengeId = challenge.id;
  const back = await parts.store.apply({ challengeId, action: 'rejectCapture', capture: rejected });
  if (back.status === 'applied') return 'retried';
  const deliveries = await deliveriesOf(parts, challenge, ACTIONS.rejectCaptureLate);
  const late = await parts.store.apply({
    challengeId,
    action: 'rejectCaptureLate',
    capture: { ...rejected, sealedMadePasskey: null },
    deliveries,
  });
  return late.status === 'applied' ? 'expired' : 'superseded';
}

async function complete(
  parts: SettlementParts,
  { capture, challenge }: Judged,
  judgement: Judgement,
  passkey: PasskeyFinding | null,
): Promise<Settlement> {
  const { accountId, id: challengeId } = challenge;
  const { template, tried } = judgement;
  const sealedTry = tried && (await sealTry(parts.custody, challenge, capture.id, tried));
  const enrol = template === null ? null : () => parts.featids.create({ accountId, challengeId, template });
  const applied = await completeChallenge(
    parts,
    challenge,
    { ...judgement, enrol, passkey, level: capture.level },
    { action: 'complete', capture: { kind: 'judged', id: capture.id, sealedTry } },
  );
  return applied.status === 'applied' ? 'completed' : 'superseded';
}
