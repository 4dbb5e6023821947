// POST /v1/create-challenge: rules, secrets, one transaction. Answered only after the commit.
import { newId, randomSecret } from '../base/ids.ts';
import {
  type CreateChallengeRequest,
  type CreateChallengeResponse,
  DEFAULT_EXPIRES_IN_SECONDS,
} from '../contract/challenge-request.ts';
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
} from './seals.ts';
import type { Caller, CreateOutcome } from './services.ts';
import { SECRET_BYTES } from './settings.ts';
import type { IdempotencyScope, KeptAnswer, NewChallenge } from './store.ts';

const PATH = '/v1/create-challenge';

/** A request that carries an Idempotency-Key. */
interface Keyed {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
}

export async function createChallenge(
  parts: ChallengeParts,
  caller: Caller,
  body: CreateChallengeRequest,
  idempotencyKey: string | null,
): Promise<CreateOutcome> {
  const keyed = idempotencyKey === null ? null : await keyOf(parts, caller.accountId, idempotencyKey, body);
  // Before the rules: a replay must not depend on what has become of its FeatureIDs since.
  const kept = keyed && (await parts.store.findKept(keyed.scope));
  if (kept) return replay(parts, caller, keyed, kept);
  const { faults, featidIds, pause } = await checkRequest(parts, caller, body);
  if (faults.length > 0) return { status: 'invalid', faults };
  if (pause) return { status: 'paused', ...pause };

  const linkToken = randomSecret(SECRET_BYTES);
  const challenge = await newChallenge(parts, caller, body, { linkToken, featidIds });
  const answer: KeptResponse = {
    challenge_id: challenge.id,
    challenge_url: `${parts.settings.baseUrl}/c/${linkToken}`,
    expires_in_seconds: challenge.expiresInSeconds,
  };
  const once = keyed && {
    ...keyed,
    status: 201,
    sealedResponse: await sealAnswer(parts.custody, keyed.scope, answer),
  };
  const outcome = await parts.store.insert(challenge, once);
  if (outcome.status === 'inFlight') return { status: 'in_flight' };
  if (outcome.status === 'known') return replay(parts, caller, keyed!, outcome.kept);
  if (caller.sandbox) await settleByReference(parts, caller.accountId, challenge.id);
  return { status: 'created', response: responseOf(answer, outcome.createdAt) };
}

async function keyOf(
  parts: ChallengeParts,
  accountId: string,
  key: string,
  body: CreateChallengeRequest,
): Promise<Keyed> {
  const fingerprint = await fingerprintBody(parts.custody, accountId, body);
  return { scope: { accountId, path: PATH, key }, fingerprint };
}

async function replay(
  parts: ChallengeParts,
  caller: Caller,
  keyed: Keyed,
  kept: KeptAnswer,
): Promise<CreateOutcome> {
  if (!kept.fingerprint.equals(keyed.fingerprint)) return { status: 'key_reused' };
  const answer = await openAnswer(parts.custody, keyed.scope, kept.sealedResponse);
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
  const id = newId('challenge');
  const { accountId, sandbox, actor } = caller;
  const sealedRequest = await sealRequest(
    parts.custody,
    { id, accountId },
    {
      compare_to_featids: body.compare_to_featids ?? [],
      notifications: {
        complete: body.notifications?.complete ?? [],
        expired: body.notifications?.expired ?? [],
      },
    },
  );
  return {
    id,
    accountId,
    sandbox,
    actor,
    customerReference: body.customer_reference ?? null,
    livenessOnly: body.liveness_only,
    requireConsent: body.require_consent ?? true,
    flow: {
      exit_redirect_url: body.flow_behaviour?.exit_redirect_url ?? null,
      style: body.flow_style ?? {},
    },
    sealedRequest,
    linkHash: hashSecret(made.linkToken),
    featidIds: [...new Set(made.featidIds)],
    expiresInSeconds: body.expires_in_seconds ?? DEFAULT_EXPIRES_IN_SECONDS,
  };
}
