// What completing a challenge writes, whether a judgement or the sandbox ended it: the sealed result, the FeatureID, the
// best frame, the deliveries. The caller applies it with its own action and guards.
import { newId } from '../base/ids.ts';
import type { ComparedFeatid } from '../contract/result.ts';
import type { Challenge, StoredResult } from './challenge.ts';
import { deliveriesOf } from './closing-deliveries.ts';
import type { AssetStore, Custody, MakeDeliveries, NewAsset, NewFeatidRow } from './ports.ts';
import { sealResult } from './seals.ts';
import type { ChallengeChange } from './store.ts';

/** What a challenge ends with. */
export interface Ending extends Pick<StoredResult, 'liveness' | 'reasons' | 'cues'> {
  /** In the order of the request; empty without a template; scores as computed. */
  readonly compared: readonly Omit<ComparedFeatid, 'feat_id'>[];
  /** A BMP. */
  readonly bestFrame: Uint8Array | null;
  /** Makes the FeatureID that a passed liveness check gives; null where there is no template. */
  readonly enrol: (() => Promise<{ featid: string; row: NewFeatidRow }>) | null;
}

interface CompletionParts {
  readonly assets: Pick<AssetStore, 'put'>;
  readonly custody: Custody;
  readonly makeDeliveries: MakeDeliveries;
}

/** What a completion adds to the change that completes; its assets are stored already. */
export type Completion = Required<
  Pick<ChallengeChange, 'result' | 'assets' | 'featid' | 'guessFailed' | 'deliveries'>
>;

export async function prepareCompletion(
  parts: CompletionParts,
  challenge: Challenge,
  ending: Ending,
): Promise<Completion> {
  const { liveness, reasons, cues } = ending;
  // A spoof must not be enrolled (contract §4).
  const enrolled = liveness.overall && ending.enrol ? await ending.enrol() : null;
  const result: StoredResult = {
    liveness,
    liveness_featid: enrolled?.featid ?? null,
    compared: challenge.livenessOnly ? null : ending.compared.map(publicComparison),
    reasons,
    cues,
  };
  const sealedResult = await sealResult(parts.custody, challenge, result);
  const deliveries = await deliveriesOf(parts, challenge, 'complete');
  return {
    result: { overallResult: overallOf(result), sealedResult },
    assets: ending.bestFrame ? [await storeFrame(parts, challenge, ending.bestFrame)] : [],
    featid: enrolled?.row ?? null,
    guessFailed: isFailedGuess(result),
    deliveries,
  };
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

async function storeFrame(
  parts: Pick<CompletionParts, 'assets'>,
  challenge: Challenge,
  bytes: Uint8Array,
): Promise<NewAsset> {
  const { accountId } = challenge;
  const id = newId('asset');
  const { sealedKey } = await parts.assets.put({ accountId, assetId: id, bytes });
  const asset = { id, accountId, challengeId: challenge.id, kind: 'best_frame', sealedKey } as const;
  return { ...asset, mimeType: 'image/bmp', sizeBytes: bytes.length };
}
