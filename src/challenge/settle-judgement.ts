// What a judgement does to its challenge: completed with a result, another try, or expired where no time is left for
// one. One transaction each; run twice, the second finds nothing to do.
import { newId } from '../base/ids.ts';
import type { RetryReason } from '../contract/capture-page.ts';
import type { ComparedFeatid } from '../contract/result.ts';
import type { Capture, Challenge, StoredResult } from './challenge.ts';
import { ACTIONS } from './lifecycle.ts';
import type { SettlementParts } from './parts.ts';
import type { NewAsset, NewDelivery } from './ports.ts';
import { openRequest, sealResult } from './seals.ts';
import { MAX_TRIES } from './settings.ts';

/** A judged capture, as the judge task hands it over. `T` is the template type. */
export interface Judgement<T> {
  readonly liveness: StoredResult['liveness'];
  /** Stable codes of what was not met or not evaluated. */
  readonly reasons: readonly string[];
  readonly cues: Readonly<Record<string, unknown>>;
  /** Why the capture cannot be judged; null where it was judged: a spoof and a mismatch are judged. */
  readonly retry: RetryReason | null;
  readonly template: T | null;
  /** A BMP. */
  readonly bestFrame: Uint8Array | null;
  /** In the order of the request; empty without a template; scores as computed. */
  readonly compared: readonly Omit<ComparedFeatid, 'feat_id'>[];
}

export type Settlement = 'completed' | 'retried' | 'expired' | 'superseded';

interface Judged {
  readonly capture: Capture;
  readonly challenge: Challenge;
}

/** Settles a capture. `superseded`: it was settled, cancelled or erased meanwhile, and nothing was written. */
export async function settleJudgement<T>(
  parts: SettlementParts<T>,
  judged: Judged,
  judgement: Judgement<T>,
): Promise<Settlement> {
  const { retry } = judgement;
  if (retry && judged.challenge.triesUsed < MAX_TRIES) return sendBack(parts, judged, retry);
  return complete(parts, judged, judgement);
}

/** Completes a challenge whose video ended its worker every time that it was judged. */
export function settleUnjudgeable<T>(parts: SettlementParts<T>, judged: Judged): Promise<Settlement> {
  return complete(parts, judged, {
    liveness: { face: false, smile: false, spoof_result: false, overall: false },
    reasons: ['judgement_failed'],
    cues: {},
    retry: null,
    template: null,
    bestFrame: null,
    compared: [],
  });
}

async function sendBack<T>(
  parts: SettlementParts<T>,
  { capture, challenge }: Judged,
  reason: RetryReason,
): Promise<Settlement> {
  const rejected = { kind: 'rejected', id: capture.id, reason } as const;
  const change = { challengeId: challenge.id, capture: rejected };
  const back = await parts.store.apply({ ...change, action: ACTIONS.rejectCapture });
  if (back.status === 'applied') return 'retried';
  const deliveries = await deliveriesOf(parts, challenge, 'expired');
  const late = await parts.store.apply({ ...change, action: ACTIONS.rejectCaptureLate, deliveries });
  return late.status === 'applied' ? 'expired' : 'superseded';
}

async function complete<T>(
  parts: SettlementParts<T>,
  { capture, challenge }: Judged,
  judgement: Judgement<T>,
): Promise<Settlement> {
  const { accountId, id: challengeId } = challenge;
  const { liveness, template } = judgement;
  // A spoof must not be enrolled (contract §4).
  const enrolled =
    liveness.overall && template ? await parts.featids.create({ accountId, challengeId, template }) : null;
  const result: StoredResult = {
    liveness,
    liveness_featid: enrolled?.featid ?? null,
    compared: challenge.livenessOnly ? null : judgement.compared.map(publicComparison),
    reasons: judgement.reasons,
    cues: judgement.cues,
  };
  const sealedResult = await sealResult(parts.custody, challenge, result);
  const deliveries = await deliveriesOf(parts, challenge, 'complete');
  const bestFrame = judgement.bestFrame && (await storeFrame(parts, challenge, judgement.bestFrame));
  const applied = await parts.store.apply({
    challengeId,
    action: ACTIONS.complete,
    capture: { kind: 'judged', id: capture.id },
    result: { overallResult: overallOf(result), sealedResult },
    assets: bestFrame ? [bestFrame] : [],
    featid: enrolled?.row ?? null,
    guessFailed: isFailedGuess(result),
    deliveries,
  });
  if (applied.status === 'applied') return 'completed';
  if (bestFrame) await parts.assets.delete(bestFrame.id);
  return 'superseded';
}

/** Contract §6. Where nothing could be compared with, nothing was guessed. */
function isFailedGuess({ liveness, compared }: StoredResult): boolean {
  return (
    liveness.overall &&
    compared !== null &&
    compared.length > 0 &&
    compared.every((one) => one.result === 'fail')
  );
}

/** Contract §4. */
function overallOf({ liveness, compared }: StoredResult): 'pass' | 'fail' {
  const matched = compared === null || compared.some((comparison) => comparison.result === 'pass');
  return liveness.overall && matched ? 'pass' : 'fail';
}

/**
 * Two decimals leave the client what a decision needs and a hill-climber little (contract §6). Rounding never carries a
 * score across the operating point: who reads .5 as the threshold must find the result that stands beside it.
 */
function publicComparison(comparison: Omit<ComparedFeatid, 'feat_id'>): ComparedFeatid {
  const { featid, score, result, likeness_features } = comparison;
  const rounded = Math.round(score * 100) / 100;
  const shown = result === 'pass' ? Math.max(rounded, 0.5) : Math.min(rounded, 0.49);
  return { featid, feat_id: featid, score: shown, result, likeness_features };
}

async function deliveriesOf<T>(
  parts: Pick<SettlementParts<T>, 'custody' | 'makeDeliveries'>,
  challenge: Challenge,
  event: 'complete' | 'expired',
): Promise<NewDelivery[]> {
  if (!challenge.sealedRequest) return [];
  const request = await openRequest(parts.custody, challenge, challenge.sealedRequest);
  const { accountId, id: challengeId } = challenge;
  return parts.makeDeliveries({ accountId, challengeId, event, notifications: request.notifications[event] });
}

async function storeFrame<T>(
  parts: Pick<SettlementParts<T>, 'assets'>,
  challenge: Challenge,
  bytes: Uint8Array,
): Promise<NewAsset> {
  const { accountId } = challenge;
  const id = newId('asset');
  const { sealedKey } = await parts.assets.put({ accountId, assetId: id, bytes });
  const asset = { id, accountId, challengeId: challenge.id, kind: 'best_frame', sealedKey } as const;
  return { ...asset, mimeType: 'image/bmp', sizeBytes: bytes.length };
}
