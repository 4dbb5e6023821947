// The result object (docs/interface.md, The result), built on every read with fresh asset links: one function for GET,
// cancel and webhooks.
import type { ChallengeResult, Diagnostics, LivenessResult, MatchResult } from '../../contract/result.ts';
import type { Asset, Challenge, StoredEvent, StoredResult } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { openRequest, openResult } from '../seals.ts';
import { isLinkable, makeAssetLink } from './asset-links.ts';

export async function buildResult(
  parts: Pick<ChallengeParts, 'store' | 'custody' | 'clock' | 'settings'>,
  challenge: Challenge,
): Promise<ChallengeResult> {
  return composeResult(parts, challenge, await parts.store.details(challenge.id));
}

/** Builds the same result from details already read. */
export async function composeResult(
  parts: Pick<ChallengeParts, 'custody' | 'clock' | 'settings'>,
  challenge: Challenge,
  { events, assets }: { events: readonly StoredEvent[]; assets: readonly Asset[] },
): Promise<ChallengeResult> {
  const { customer_reference } = await openRequest(parts.custody, challenge);
  const judged =
    challenge.sealedResult && (await openResult(parts.custody, challenge, challenge.sealedResult));
  // Only a completed challenge shows assets: the capture of an open one may still be rejected.
  const shown = challenge.status === 'completed' ? assets.filter(isLinkable) : [];
  return {
    challenge_id: challenge.id,
    customer_reference,
    created_at: challenge.createdAt.toISOString(),
    initiated_at: challenge.initiatedAt?.toISOString() ?? null,
    expires_at: challenge.expiresAt.toISOString(),
    status: challenge.status,
    closed_reason: challenge.closedReason,
    liveness_level: judged?.level ?? challenge.request.liveness_level,
    consent_required: challenge.request.require_consent,
    consent_given_at: challenge.consentGivenAt?.toISOString() ?? null,
    events: events.map(({ name, at, cause }) => ({
      name,
      timestamp: at.toISOString(),
      ...(cause && { cause }),
    })),
    overall_result: challenge.overallResult,
    liveness_result: judged ? livenessResult(judged) : null,
    match_result: judged ? matchResult(judged) : null,
    device_result: judged?.device ?? null,
    assets_links: await Promise.all(shown.map((asset) => makeAssetLink(parts, asset))),
    diagnostics: diagnosticsOf(judged),
    ...(challenge.sandbox && { sandbox: true }),
  };
}

function livenessResult({ liveness, liveness_featid }: StoredResult): LivenessResult {
  const { face, overall, smile, spoof_result } = liveness;
  return { face, overall, smile, spoof_result, liveness_featid };
}

function matchResult({ compared, liveness_featid }: StoredResult): MatchResult {
  return compared ? { compared_to_featids: [...compared] } : { liveness_featid };
}

function diagnosticsOf(judged: StoredResult | null): Diagnostics {
  if (!judged) return { reasons: [] };
  const { reasons, compared, sources, receipt } = judged;
  const way = receipt?.inputs.script?.way;
  return {
    reasons: [...reasons],
    ...(way && { accessible_way: way }),
    ...(compared && {
      compared_sources: compared.map(({ featid }, at) => ({
        featid,
        source: sources[at]!,
      })),
    }),
  };
}
