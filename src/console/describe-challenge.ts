// One challenge as the operator sees it: its unsealed columns, and the opened result with its cues.

import type { Challenge, ListedChallenge, StoredResult, StoredTry } from '../challenge/challenge.ts';
import { isLinkable } from '../challenge/reading/asset-links.ts';
import { openConsent, openRequest, openResult, openTry } from '../challenge/seals.ts';
import type { ConsoleChallenge, ConsoleChallengeDetail } from '../contract/console.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { ConsoleTry } from '../contract/judged-try.ts';
import type { Custody } from '../keys/account-keys.ts';
import { plotTimeline } from '../plot/timeline.ts';
import type { FoundChallenge } from './tables/challenges.ts';

/** Enough to tell two FeatureIDs apart, far too little to use one. */
const FEATID_HINT_LENGTH = 12;

/** The stored result; null if the challenge was not judged. */
export async function openJudged(custody: Custody, challenge: Challenge): Promise<StoredResult | null> {
  return challenge.sealedResult && (await openResult(custody, challenge, challenge.sealedResult));
}

/** A challenge as the console's list shows it. */
export async function listChallenge(
  custody: Custody,
  challenge: ListedChallenge & { readonly accountName: string },
): Promise<ConsoleChallenge> {
  const { customer_reference } = await openRequest(custody, challenge);
  return {
    challenge_id: challenge.id,
    account_id: challenge.accountId,
    account_name: challenge.accountName,
    customer_reference,
    liveness_only: challenge.request.liveness_only,
    sandbox: challenge.sandbox,
    status: challenge.status,
    overall_result: challenge.overallResult,
    created_at: challenge.createdAt.toISOString(),
    closed_at: challenge.closedAt?.toISOString() ?? null,
  };
}

export async function describeChallenge(
  custody: Custody,
  { challenge, accountName, events, captures, assets }: FoundChallenge,
  deliveries: readonly Delivery[],
): Promise<ConsoleChallengeDetail> {
  const [judged, row, { flow }, consent, tries] = await Promise.all([
    openJudged(custody, challenge),
    listChallenge(custody, { ...challenge, accountName }),
    openRequest(custody, challenge),
    challenge.sealedConsent && openConsent(custody, challenge, challenge.sealedConsent),
    Promise.all(captures.map((capture) => openTry(custody, challenge, capture))),
  ]);
  return {
    ...row,
    initiated_at: challenge.initiatedAt?.toISOString() ?? null,
    expires_at: challenge.expiresAt.toISOString(),
    require_consent: challenge.request.require_consent,
    liveness_level: challenge.request.liveness_level,
    liveness_level_when_bound: challenge.request.liveness_level_when_bound,
    device_binding: challenge.request.device_binding,
    allow_new_device: challenge.request.allow_new_device,
    consent: consent && {
      given_at: challenge.consentGivenAt!.toISOString(),
      text_version: consent.text_version,
      language: consent.language,
      client_text: flow.words?.consentText ?? null,
    },
    events: events.map(({ name, at, cause }) => ({ name, at: at.toISOString(), cause })),
    captures: captures.map((capture, at) => ({
      capture_id: capture.id,
      attempt: capture.attempt,
      state: capture.state,
      prompts:
        capture.performedScript?.steps ??
        capture.script.steps.map(({ prompt }) => ({ prompt, from_ms: null, to_ms: null })),
      issued_at: capture.issuedAt.toISOString(),
      submitted_at: capture.submittedAt?.toISOString() ?? null,
      size_bytes: capture.sizeBytes,
      mime_type: capture.mimeType,
      rejected_reason: capture.rejectedReason,
      way: capture.script.way ?? null,
      judgement: shownTry(tries[at] ?? null),
    })),
    ...describeResult(judged),
    deliveries,
    assets: assets.filter(isLinkable).map((asset) => ({
      asset_id: asset.id,
      kind: asset.kind,
      mime_type: asset.mimeType,
      size_bytes: asset.sizeBytes,
      deleted_after: asset.deleteAfter?.toISOString() ?? null,
    })),
  };
}

/** A try without its curves, which are drawn only on request. */
function shownTry(judged: StoredTry | null): ConsoleTry | null {
  if (!judged) return null;
  const { durationMs: _, moments: __, ...shown } = judged;
  return shown;
}

/** The curves of one try as an SVG document; null if it has none. */
export async function plotTry(
  custody: Custody,
  { challenge, captures }: FoundChallenge,
  captureId: string,
): Promise<string | null> {
  const capture = captures.find(({ id }) => id === captureId);
  const judged = capture ? await openTry(custody, challenge, capture) : null;
  return judged && plotTimeline(`Try ${capture!.attempt}`, judged, capture!.performedScript);
}

function describeResult(
  judged: StoredResult | null,
): Pick<
  ConsoleChallengeDetail,
  'liveness' | 'device_result' | 'reasons' | 'cues' | 'timings_ms' | 'comparisons'
> {
  const details = judged?.cues ?? {};
  return {
    liveness: judged?.liveness ?? null,
    device_result: judged?.device ?? null,
    reasons: judged?.reasons ?? [],
    cues: details.cues ?? [],
    timings_ms: details.timings_ms ?? {},
    comparisons: (judged?.compared ?? []).map(({ featid, feat_id: _, ...comparison }) => ({
      featid_hint: `${featid.slice(0, FEATID_HINT_LENGTH)}…`,
      region_strengths: details.region_strengths?.[featid] ?? null,
      ...comparison,
    })),
  };
}
