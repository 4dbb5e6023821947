// FeatureIDs for the client's server: revoking one, and ending its pause after failed comparisons.
import { Type } from 'typebox';
import type { FeatidRefusal } from '../../contract/problem.ts';
import type { App } from '../app-type.ts';
import {
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  IdempotencyHeaders,
  problemResponses,
} from '../documents/openapi.ts';
import { callerOf } from '../guards/authentication.ts';
import { type Answer, answerIdempotently } from '../guards/idempotency.ts';
import type { HttpServices } from '../services.ts';

export const NamedFeatid = Type.Object(
  { featid: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
);

/** What is said of a FeatureID that is refused. */
export const FEATID_REFUSALS: Readonly<Record<FeatidRefusal, string>> = {
  featid_invalid: 'is not a FeatureID',
  featid_unknown:
    'is not a FeatureID of this account and region; those of the sandbox are unknown to live keys, and the other way round',
  featid_revoked: 'was revoked',
  featid_pack_retired: 'was made by a recogniser that is no longer in use',
};

export function featidRoutes(app: App, services: HttpServices): void {
  app.route({
    method: 'POST',
    attachValidation: true,
    url: '/v1/featids/revoke',
    schema: {
      operationId: 'revokeFeatid',
      tags: ['FeatureIDs'],
      summary: 'Revoke a FeatureID',
      description:
        'Destroys the template, which makes the string worthless. This cannot be undone. The bytes of its key are in no file of the database within 60 seconds of the response.',
      headers: IdempotencyHeaders,
      body: NamedFeatid,
      response: {
        204: { type: 'null', description: 'Revoked' },
        ...problemResponses(...COMMON_PROBLEMS, ...BODY_PROBLEMS, ...IDEMPOTENCY_PROBLEMS),
      },
    },
    handler: async (request, reply) =>
      answerIdempotently(services, request, reply, async () => {
        const { accountId, actor } = callerOf(request);
        return answerOf(await services.featids.revoke(accountId, request.body.featid, actor));
      }),
  });
  app.route({
    method: 'POST',
    attachValidation: true,
    url: '/v1/featids/unlock',
    schema: {
      operationId: 'unlockFeatid',
      tags: ['FeatureIDs'],
      summary: 'Unlock a FeatureID',
      description:
        'Ends the pause that follows failed comparisons (429 `featid-paused`) at once, and forgets the failures. Does nothing if the FeatureID is not paused. Use it for a person whose identity you have verified in another way.',
      headers: IdempotencyHeaders,
      body: NamedFeatid,
      response: {
        204: { type: 'null', description: 'Not paused' },
        ...problemResponses(...COMMON_PROBLEMS, ...BODY_PROBLEMS, ...IDEMPOTENCY_PROBLEMS),
      },
    },
    handler: async (request, reply) =>
      answerIdempotently(services, request, reply, async () => {
        const { accountId, actor } = callerOf(request);
        return answerOf(await services.featids.unlock(accountId, request.body.featid, actor));
      }),
  });
}

function answerOf(outcome: { ok: true } | { ok: false; code: FeatidRefusal }): Answer {
  if (outcome.ok) return { status: 204, body: undefined };
  const fault = { pointer: '/featid', code: outcome.code, detail: FEATID_REFUSALS[outcome.code] };
  return { problem: 'validation-failed', errors: [fault] };
}
