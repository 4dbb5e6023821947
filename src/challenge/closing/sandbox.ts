// The sandbox of the API: a challenge made with an `lk_test_…` key ends as its page's buttons or its reference say.
// There is no camera, video or judgement; the result, FeatureID and deliveries are like those of a live account, but
// marked.

import type { FieldFault } from '../../contract/problem.ts';
import { REGION_NAMES } from '../../contract/regions.ts';
import type { Liveness } from '../../contract/result.ts';
import {
  SANDBOX_OUTCOMES,
  SANDBOX_REFERENCE_PREFIX,
  type SandboxOutcome,
  sandboxOutcomes,
} from '../../contract/sandbox.ts';
import { deviceHash, findReady } from '../capturing/link.ts';
import type { Challenge } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { openRequest } from '../seals.ts';
import type { EventOutcome, Link } from '../services.ts';
import { type Completion, completeChallenge } from './completion.ts';

/** The result of each outcome. The scores are as far apart as those of mated and non-mated comparisons usually are. */
const OUTCOMES: Readonly<
  Record<SandboxOutcome, { liveness: Liveness; reasons: string[]; score: number | null }>
> = {
  pass: { liveness: livenessOf(true, true), reasons: [], score: 0.91 },
  no_match: { liveness: livenessOf(true, true), reasons: [], score: 0.12 },
  spoof: { liveness: livenessOf(true, false), reasons: ['rigid_face'], score: 0.91 },
  // No template: nothing is compared.
  no_face: { liveness: livenessOf(false, false), reasons: ['face_missing'], score: null },
};

function livenessOf(face: boolean, real: boolean): Liveness {
  return { face, smile: face, spoof_result: real, overall: face && real };
}

/**
 * Ends a started sandbox challenge with the outcome whose button the person pressed. Other challenges have no such
 * page: `not_found`.
 */
export async function settleInSandbox(
  parts: ChallengeParts,
  link: Link,
  outcome: SandboxOutcome,
): Promise<EventOutcome> {
  const found = await findReady(parts, link);
  if (found.status !== 'ok') return found;
  const { challenge } = found.linked;
  if (!challenge.sandbox || !sandboxOutcomes(challenge.request.liveness_only).includes(outcome)) {
    return { status: 'not_found' };
  }
  if (challenge.request.require_consent && !challenge.consentGivenAt)
    return { status: 'conflict', code: 'consent_required' };
  const ending = await endingOf(parts, challenge, outcome);
  const device = deviceHash(link.device)!;
  const applied = await completeChallenge(parts, challenge, ending, { action: 'endInSandbox', device });
  if (applied.status === 'applied') return { status: 'ok' };
  const now = await findReady(parts, link);
  return now.status === 'ok' ? { status: 'conflict', code: 'processing' } : now;
}

/** The outcome that a sandbox challenge's reference asks for; null if it asks for none. */
export function outcomeByReference(reference: string | null | undefined): SandboxOutcome | null {
  if (!reference?.startsWith(SANDBOX_REFERENCE_PREFIX)) return null;
  const asked = reference.slice(SANDBOX_REFERENCE_PREFIX.length);
  return SANDBOX_OUTCOMES.find((outcome) => outcome === asked) ?? null;
}

/**
 * Ends a sandbox challenge whose reference names an outcome, as if somebody had opened it. Safe to repeat: a replayed
 * creation finds it ended.
 */
export async function settleByReference(
  parts: ChallengeParts,
  accountId: string,
  challengeId: string,
): Promise<void> {
  const challenge = await parts.store.find(accountId, challengeId);
  if (!challenge?.sandbox) return;
  const outcome = outcomeByReference((await openRequest(parts.custody, challenge)).customer_reference);
  if (!outcome) return;
  // Two steps, as a page would take them. A crash in between leaves a challenge that expires.
  await parts.store.apply({ challengeId, action: 'openByReference' });
  const ending = await endingOf(parts, challenge, outcome);
  await completeChallenge(parts, challenge, ending, { action: 'endByReference' });
}

/** Treats a reference with the sandbox prefix that names no outcome of this challenge as a typing error. */
export function referenceFaults(reference: unknown, livenessOnly: unknown): FieldFault[] {
  if (typeof reference !== 'string' || !reference.startsWith(SANDBOX_REFERENCE_PREFIX)) return [];
  const known = sandboxOutcomes(livenessOnly === true);
  const outcome = outcomeByReference(reference);
  if (outcome && known.includes(outcome)) return [];
  const names = known.map((name) => SANDBOX_REFERENCE_PREFIX + name).join(', ');
  return [
    {
      pointer: '/customer_reference',
      code: 'not_allowed_value',
      detail: `must be one of ${names} in the sandbox`,
    },
  ];
}

async function endingOf(
  parts: ChallengeParts,
  challenge: Challenge,
  outcome: SandboxOutcome,
): Promise<Completion> {
  const { accountId, id: challengeId } = challenge;
  const { liveness, reasons, score } = OUTCOMES[outcome];
  const references = await readReferences(parts, challenge);
  const result = outcome === 'no_match' ? 'fail' : 'pass';
  const region = result === 'pass' ? 'Pass' : 'Fail';
  return {
    liveness,
    reasons: [...reasons, ...references.reasons],
    cues: {},
    compared:
      score === null
        ? []
        : references.compared.map((reference) => ({
            ...reference,
            score,
            result,
            likeness_features: Object.fromEntries(REGION_NAMES.map((name) => [name, region])),
          })),
    bestFrame: null,
    enrol: () => parts.featids.createForSandbox({ accountId, challengeId }),
    // No device is asked, so none is ever bound.
    level: null,
    passkey: challenge.request.device_binding === 'off' ? null : { status: 'none', devices: new Map() },
  };
}

/** A FeatureID revoked since the creation is not compared with, as in a live account. */
async function readReferences(parts: ChallengeParts, challenge: Challenge) {
  const { compare_to_featids: asked } = await openRequest(parts.custody, challenge);
  const checks = asked.length > 0 ? await parts.featids.check(challenge.accountId, asked) : [];
  return {
    compared: asked.flatMap((featid, at) => {
      const check = checks[at]!;
      return check.ok ? [{ featid, featidId: check.id, source: check.source }] : [];
    }),
    reasons: [...new Set(checks.flatMap((check) => (check.ok ? [] : [check.code])))],
  };
}
