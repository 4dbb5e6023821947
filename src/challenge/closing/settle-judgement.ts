// What a judgement does to its challenge: completes it with a result, gives it another try, or expires it if no time is
// left for one. Each is one transaction; a second run finds nothing to do.
import type { RetryReason } from '../../contract/capture-page.ts';
import type { FaceTemplate } from '../../contract/face-template.ts';
import { NOTHING_PASSED } from '../../contract/result.ts';
import type { Capture, Challenge, StoredTry } from '../challenge.ts';
import { ACTIONS } from '../lifecycle.ts';
import type { SettlementParts } from '../parts.ts';
import { sealTry } from '../seals.ts';
import { MAX_TRIES } from '../settings.ts';
import { type Completion, completeChallenge } from './completion.ts';
import { deliveriesOf } from './deliveries.ts';

/** A judged capture, as the judge task hands it over. */
export interface Judgement extends Omit<Completion, 'enrol'> {
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
  const { retry } = judgement;
  if (retry && judged.challenge.triesUsed < MAX_TRIES)
    return sendBack(parts, judged, { reason: retry, tried: judgement.tried });
  return complete(parts, judged, judgement);
}

/**
 * Asks for another recording in place of one that is lost or broke off its judgement every time. That never fails a
 * check, as nothing was judged; it costs a try, so that a video made to kill workers draws no more scripts than others.
 */
export function settleUnjudgeable(parts: SettlementParts, judged: Judged): Promise<Settlement> {
  return sendBack(parts, judged, { reason: 'video_unreadable', tried: null });
}

/** Asks the person for another recording: this one could not be judged, through no fault of theirs. */
export function settleUnavailable(parts: SettlementParts, judged: Judged): Promise<Settlement> {
  return sendBack(parts, judged, { reason: 'video_unreadable', tried: null, returnsTry: true });
}

interface SentBack {
  readonly reason: RetryReason;
  readonly tried: StoredTry | null;
  readonly returnsTry?: boolean;
}

async function sendBack(
  parts: SettlementParts,
  { capture, challenge }: Judged,
  { reason, tried, returnsTry = false }: SentBack,
): Promise<Settlement> {
  const sealedTry = tried && (await sealTry(parts.custody, challenge, capture.id, tried));
  const rejected = { kind: 'rejected', id: capture.id, reason, returnsTry, sealedTry } as const;
  const change = { challengeId: challenge.id, capture: rejected };
  const back = await parts.store.apply({ ...change, action: 'rejectCapture' });
  if (back.status === 'applied') return 'retried';
  const deliveries = await deliveriesOf(parts, challenge, ACTIONS.rejectCaptureLate);
  const late = await parts.store.apply({ ...change, action: 'rejectCaptureLate', deliveries });
  return late.status === 'applied' ? 'expired' : 'superseded';
}

async function complete(
  parts: SettlementParts,
  { capture, challenge }: Judged,
  judgement: Judgement,
): Promise<Settlement> {
  const { accountId, id: challengeId } = challenge;
  const { template, tried } = judgement;
  const sealedTry = tried && (await sealTry(parts.custody, challenge, capture.id, tried));
  const enrol = template === null ? null : () => parts.featids.create({ accountId, challengeId, template });
  const applied = await completeChallenge(
    parts,
    challenge,
    { ...judgement, enrol },
    { action: 'complete', capture: { kind: 'judged', id: capture.id, sealedTry } },
  );
  return applied.status === 'applied' ? 'completed' : 'superseded';
}
