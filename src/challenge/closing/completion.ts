// Completing a challenge after a judgement or in the sandbox: the sealed result, the FeatureID, the best frame, the
// deliveries, and the guesses that its scores count as.
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { LivenessLevel } from '../../contract/liveness-level.ts';
import type { FeatidSource } from '../../contract/picture.ts';
import type { RegionStrengths } from '../../contract/regions.ts';
import type { ComparedFeatid, Comparison } from '../../contract/result.ts';
import type { ComparisonBar } from '../../featid/tables/guard.ts';
import type { NewFeatidRow } from '../../featid/tables/keys.ts';
import type { Custody } from '../../keys/account-keys.ts';
import type { Passkeys } from '../../passkeys/passkeys.ts';
import type { AssetStore } from '../assets/encrypted-assets.ts';
import type { Challenge, JudgementDetails, NewAsset, StoredResult } from '../challenge.ts';
import { ACTIONS, type ChangeOf } from '../lifecycle.ts';
import { recordingsOf, sealResult } from '../seals.ts';
import type { ApplyOutcome } from '../tables/changes.ts';
import type { ChallengeStore } from '../tables/store.ts';
import { deliveriesOf } from './deliveries.ts';
import { type DeviceOutcome, deviceOutcome, type Ended } from './device-result.ts';
import type { PasskeyFinding } from './passkey-finding.ts';

/** A comparison with one FeatureID. The score is as computed, not rounded. */
export interface FeatidComparison extends Comparison {
  readonly featid: string;
  /** Id of the FeatureID's row, by which the guessing limit counts. */
  readonly featidId: string;
  /** What the FeatureID was made from. */
  readonly source: FeatidSource;
  /** Shown only in the console. */
  readonly regionStrengths?: RegionStrengths;
}

/** The outcome that a challenge is completed with. */
export interface Completion extends Pick<StoredResult, 'liveness' | 'reasons' | 'receipt'> {
  readonly cues: Omit<JudgementDetails, 'region_strengths'>;
  /** In the order of the request; empty without a template. */
  readonly compared: readonly FeatidComparison[];
  /** A BMP image. */
  readonly bestFrame: Uint8Array | null;
  /** Makes the FeatureID that a passed liveness check yields; null if there is no template. */
  readonly enrol: (() => Promise<{ featid: string; row: NewFeatidRow }>) | null;
  /** What the device showed; null if the challenge has nothing to do with devices. */
  readonly passkey: PasskeyFinding | null;
  /** The level of the judged recording; null if nothing was recorded. */
  readonly level: LivenessLevel | null;
}

interface CompletionParts {
  readonly store: Pick<ChallengeStore, 'apply'>;
  readonly assets: Pick<AssetStore, 'put' | 'delete'>;
  readonly custody: Custody;
  readonly passkeys: Pick<Passkeys, 'seal'>;
  readonly clock: Clock;
}

/** The action that completes a challenge, and what its row asks for besides the completion. */
type Completing =
  | Pick<ChangeOf<'complete'>, 'action' | 'capture'>
  | Pick<ChangeOf<'endInSandbox'>, 'action' | 'device'>
  | Pick<ChangeOf<'endByReference'>, 'action'>;

/**
 * Completes a challenge. Scores are revealed in the transaction that counts them as guesses. If that transaction finds
 * FeatureIDs paused or revoked since they were opened, their comparisons are left out, the reasons say why, and the
 * change is applied again without them.
 */
export async function completeChallenge(
  parts: CompletionParts,
  challenge: Challenge,
  completion: Completion,
  completing: Completing,
): Promise<Exclude<ApplyOutcome, { status: 'barred' }>> {
  // A spoof must not be enrolled.
  const enrolled = completion.enrol && completion.liveness.overall ? await completion.enrol() : null;
  const frame = completion.bestFrame && (await storeFrame(parts, challenge, completion.bestFrame));
  const deliveries = await deliveriesOf(parts, challenge, ACTIONS[completing.action]);
  const barred = new Map<string, ComparisonBar>();
  let finding = completion.passkey;
  for (;;) {
    const compared = completion.compared.filter(({ featidId }) => !barred.has(featidId));
    const { liveness } = completion;
    const ended = endedOf(parts, challenge, enrolled, { liveness, compared, level: completion.level });
    const device = finding && deviceOutcome(finding, ended);
    const isDeviceMissing = needsDevice(challenge, completion.level) && device?.result.status !== 'bound';
    const missing = isDeviceMissing ? [DEVICE_NOT_BOUND] : [];
    const kept = isDeviceMissing && isEnrolledByDevice(challenge, completion.level) ? null : enrolled;
    const result: StoredResult = {
      liveness,
      reasons: [...new Set([...completion.reasons, ...barred.values(), ...missing])],
      cues: { ...completion.cues, region_strengths: strengthsOf(compared) },
      liveness_featid: kept?.featid ?? null,
      compared: challenge.request.liveness_only ? null : compared.map(publicComparison),
      sources: compared.map(({ source }) => source),
      ...(completion.level && { level: completion.level }),
      ...(device && { device: device.result }),
      ...(completion.receipt && { receipt: completion.receipt }),
    };
    const overallResult = isDeviceMissing ? 'fail' : overallOf(result);
    const applied = await parts.store.apply({
      challengeId: challenge.id,
      ...(await withDevice(parts, challenge, completing, device)),
      result: { overallResult, sealedResult: await sealResult(parts.custody, challenge, result) },
      assets: frame ? [frame] : [],
      featid: kept?.row ?? null,
      guess: guessOf(compared, overallResult),
      deliveries,
    });
    if (applied.status === 'refused' && frame) await parts.assets.delete(frame.id);
    if (applied.status !== 'barred') return applied;
    for (const [featidId, because] of applied.featids) barred.set(featidId, because);
    if (applied.passkey) finding = finding && { devices: finding.devices, status: 'failed' };
  }
}

/** Reason of a challenge that requires a passkey of the FeatureID, and ended without its signature. */
const DEVICE_NOT_BOUND = 'device_not_bound';

/** Whether the challenge cannot pass without its device. Nobody is checked in the sandbox, and no device either. */
const needsDevice = ({ request, sandbox }: Challenge, level: LivenessLevel | null): boolean =>
  !sandbox && (request.device_binding === 'require' || isLowered({ request }, level));

/** Whether less was asked of the person than without a device. */
export const isLowered = ({ request }: Pick<Challenge, 'request'>, level: LivenessLevel | null): boolean =>
  level !== null && level !== request.liveness_level;

/** Whether a FeatureID is made only with the device: it would be bound to it, or less was asked of the person for it. */
const isEnrolledByDevice = ({ request }: Challenge, level: LivenessLevel | null): boolean =>
  request.liveness_only || isLowered({ request }, level);

const endedOf = (
  { clock }: CompletionParts,
  { request }: Challenge,
  enrolled: { readonly row: NewFeatidRow } | null,
  { liveness, compared, level }: Pick<Completion, 'liveness' | 'compared' | 'level'>,
): Ended => ({
  isEnrolment: request.liveness_only,
  isLive: liveness.overall,
  isLowered: isLowered({ request }, level),
  enrolledId: enrolled?.row.id ?? null,
  matchedIds: compared.filter(({ result }) => result === 'pass').map(({ featidId }) => featidId),
  now: clock.now(),
});

/** The action with what becomes of the passkey. */
async function withDevice(
  { passkeys }: CompletionParts,
  { accountId }: Challenge,
  completing: Completing,
  device: DeviceOutcome | null,
) {
  if (completing.action !== 'complete') return completing;
  const { capture } = completing;
  const deviceResult = device?.result ?? null;
  if (!device?.add)
    return { action: 'complete', capture, passkeyUse: device?.use ?? null, deviceResult } as const;
  const { key, featidId } = device.add;
  const passkey = await passkeys.seal(accountId, key, device.result.credential_since!);
  return {
    action: 'completeWithNewDevice',
    capture,
    newPasskey: { passkey, featidId },
    deviceResult,
  } as const;
}

const strengthsOf = (compared: readonly FeatidComparison[]): Record<string, RegionStrengths> =>
  Object.fromEntries(
    compared.flatMap(({ featid, regionStrengths }) => (regionStrengths ? [[featid, regionStrengths]] : [])),
  );

/**
 * A challenge that did not pass counts as a failure for every FeatureID it was compared with, even if only liveness
 * failed. Its scores were revealed too, and this way a pause does not tell whether a face matched.
 */
function guessOf(
  compared: readonly FeatidComparison[],
  overallResult: 'pass' | 'fail',
): ChangeOf<'complete'>['guess'] {
  const featidIds = [...new Set(compared.map(({ featidId }) => featidId))];
  return { featidIds, hasFailed: overallResult === 'fail' };
}

function overallOf({ liveness, compared }: StoredResult): 'pass' | 'fail' {
  const matched = compared === null || compared.some((comparison) => comparison.result === 'pass');
  return liveness.overall && matched ? 'pass' : 'fail';
}

/**
 * Rounds the score to two decimals, which suffice for a decision and help a hill-climbing attack little. Rounding never
 * moves a score across the operating point: a reader who takes 0.5 as the threshold must find the result stated beside
 * it.
 */
function publicComparison(comparison: FeatidComparison): ComparedFeatid {
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
  const holder = recordingsOf(challenge);
  const { sealedKey } = await parts.assets.put({ holder, assetId: id, bytes });
  const asset = { id, accountId, challengeId: challenge.id, kind: 'best_frame', sealedKey } as const;
  return { ...asset, mimeType: 'image/bmp', sizeBytes: bytes.length };
}
