// POST /v1/create-challenge: rules, secrets, one transaction. Answered only after the commit.
import { newId, randomSecret } from '../base/ids.ts';
import {
  type CreateChallengeRequest,
  type CreateChallengeResponse,
  DEFAULT_EXPIRES_IN_SECONDS,
} from '../contract/challenge-request.ts';
import { newErasureKey } from '../keys/erasure-key.ts';
import type { SealedRequest } from './challenge.ts';
import type { ChallengeParts } from './parts.ts';
import { checkRequest } from './request-rules.ts';
import { settleByReference } from './sandbox.ts';
import {
  fingerprintBody,
  hashSecret,
  type KeptResponse,
  openAnswer,
  sealAnswer,
  sealRequest,
  tagOfReference,
} from './seals.ts';
import type { Caller, CreateOutcome } from './services.ts';
import { SECRET_BYTES } from './settings.ts';
import type { IdempotencyScope, KeptAnswer, NewChallenge } from './store.ts';

const PATH = '/v1/create-challenge';

export async function createChallenge(
  parts: ChallengeParts,
  caller: Caller,
  body: CreateChallengeRequest,
  idempotencyKey: string | null,
): Promise<CreateOutcome> {
  const { accountId } = caller;
  const scope = idempotencyKey === null ? null : { accountId, path: PATH, key: idempotencyKey };
  // Before the rules: a replay must not depend on what has become of its FeatureIDs since.
  const kept = scope && (await parts.store.findKept(scope));
  if (kept) return replay(parts, caller, body, scope, kept);
  const { faults, featidIds, pause } = await checkRequest(parts, caller, body);
  if (faults.length > 0) return { status: 'invalid', faults };
  if (pause) return { status: 'paused', ...pause };
  // Told to the client, who can do something about it, before a person is asked for a video.
  if ((await parts.room.refusal(caller.accountId)) === 'account_full') return { status: 'account_full' };

  const linkToken = randomSecret(SECRET_BYTES);
  const challenge = await newChallenge(parts, caller, body, { linkToken, featidIds });
  const answer: KeptResponse = {
    challenge_id: challenge.id,
    challenge_url: `${parts.settings.baseUrl}/c/${linkToken}`,
    expires_in_seconds: challenge.expiresInSeconds,
  };
  const once = scope && {
    scope,
    fingerprint: await fingerprintBody(parts.custody, challenge, body),
    status: 201,
    sealedResponse: await sealAnswer(parts.custody, scope, answer),
  };
  const outcome = await parts.store.insert(challenge, once);
  if (outcome.status === 'inFlight') return { status: 'in_flight' };
  if (outcome.status === 'known') return replay(parts, caller, body, scope!, outcome.kept);
  if (caller.sandbox) await settleByReference(parts, accountId, challenge.id);
  return { status: 'created', response: responseOf(answer, outcome.createdAt) };
}

/**
 * The fingerprint hangs on the challenge's key: what was asked for cannot be guessed from it once the challenge is
 * erased. Its answer is then given to any request with the Idempotency-Key.
 */
async function replay(
  parts: ChallengeParts,
  caller: Caller,
  body: CreateChallengeRequest,
  scope: IdempotencyScope,
  kept: KeptAnswer,
): Promise<CreateOutcome> {
  const answer = await openAnswer(parts.custody, scope, kept.sealedResponse);
  const challenge = await parts.store.find(caller.accountId, answer.challenge_id);
  const isSame = !challenge || kept.fingerprint.equals(await fingerprintBody(parts.custody, challenge, body));
  if (!isSame && kept.fingerprint.length > 0) return { status: 'key_reused' };
  if (caller.sandbox) await settleByReference(parts, caller.accountId, answer.challenge_id);
  return { status: 'replay', response: responseOf(answer, kept.createdAt) };
}

/** The database reckons `expires_at` the same way, from the same time. */
function responseOf(answer: KeptResponse, createdAt: Date): CreateChallengeResponse {
  const { challenge_id, challenge_url, expires_in_seconds } = answer;
  const expiresAt = new Date(createdAt.getTime() + expires_in_seconds * 1000);
  return { challenge_id, challenge_url, expires_at: expiresAt.toISOString() };
}

async function newChallenge(
  parts: ChallengeParts,
  caller: Caller,
  body: CreateChallengeRequest,
  made: { readonly linkToken: string; readonly featidIds: readonly string[] },
): Promise<NewChallenge> {
  const { accountId, sandbox, actor } = caller;
  const { customer_reference: reference } = body;
  const keys = { detailsKey: newErasureKey(), videoKey: newErasureKey() };
  const place = { id: newId('challenge'), accountId, ...keys };
  const [sealedRequest, referenceTag] = await Promise.all([
    sealRequest(parts.custody, place, requestOf(body)),
    reference === undefined ? null : tagOfReference(parts.custody, accountId, reference),
  ]);
  return {
    ...place,
    sandbox,
    actor,
    livenessOnly: body.liveness_only,
    requireConsent: body.require_consent ?? true,
    sealedRequest,
    referenceTag,
    linkHash: hashSecret(made.linkToken),
    featidIds: [...new Set(made.featidIds)],
    expiresInSeconds: body.expires_in_seconds ?? DEFAULT_EXPIRES_IN_SECONDS,
  };
}

function requestOf(body: CreateChallengeRequest): SealedRequest {
  return {
    customer_reference: body.customer_reference ?? null,
    flow: {
      exit_redirect_url: body.flow_behaviour?.exit_redirect_url ?? null,
      style: body.flow_style ?? {},
    },
    compare_to_featids: body.compare_to_featids ?? [],
    notifications: {
      complete: body.notifications?.complete ?? [],
      expired: body.notifications?.expired ?? [],
    },
  };
}
