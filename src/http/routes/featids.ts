// FeatureIDs on the client's word: revoking one.
import { Type } from 'typebox';
import type { FeatidRefusal } from '../../contract/problem.ts';
import { callerOf } from '../authentication.ts';
import { answerOnce } from '../idempotency.ts';
import {
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  IdempotencyHeaders,
  problemResponses,
} from '../openapi.ts';
import type { App } from '../server.ts';
import type { HttpServices } from '../services.ts';

const RevokeRequest = Type.Object(
  { featid: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
);

const DETAILS: Readonly<Record<FeatidRefusal, string>> = {
  featid_invalid: 'is not a FeatureID',
  featid_unknown: 'is not a FeatureID of this account and region',
  featid_revoked: 'is revoked already',
  featid_pack_retired: 'was made by a recogniser that is no longer here',
};

export function featidRoutes(app: App, services: HttpServices): void {
  app.route({
    method: 'POST',
    url: '/v1/featids/revoke',
    schema: {
      operationId: 'revokeFeatid',
      tags: ['FeatureIDs'],
      summary: 'Revoke a FeatureID',
      description: 'Destroys the template: the string is worthless from now on. It cannot be undone.',
      headers: IdempotencyHeaders,
      body: RevokeRequest,
      response: {
        204: { type: 'null', description: 'Revoked' },
        ...problemResponses(...COMMON_PROBLEMS, ...BODY_PROBLEMS, ...IDEMPOTENCY_PROBLEMS),
      },
    },
    handler: async (request, reply) =>
      answerOnce(services, request, reply, async () => {
        const { accountId, actor } = callerOf(request);
        const outcome = await services.featids.revoke(accountId, request.body.featid, actor);
        if (outcome.ok) return { status: 204, body: undefined };
        const fault = { pointer: '/featid', code: outcome.code, detail: DETAILS[outcome.code] };
        return { problem: 'validation-failed', errors: [fault] };
      }),
  });
}
