// Challenges for the client's server: create, read, list, cancel, erase, and their deliveries.
import { Type } from 'typebox';
import { ACCOUNT_LIMITS } from '../../challenge/creating/account-limits.ts';
import type { Caller } from '../../challenge/services.ts';
import type { CreateChallengeRequest, CreateChallengeResponse } from '../../contract/challenge-request.ts';
import type { DeliveryList } from '../../contract/delivery.ts';
import { idPattern, NullableString } from '../../contract/field-types.ts';
import type { ChallengeResult, ChallengeSummary } from '../../contract/result.ts';
import { CHALLENGE_STATUSES } from '../../contract/states.ts';
import type { App } from '../app-type.ts';
import {
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  IdempotencyHeaders,
  problemResponses,
  READING_PROBLEMS,
  refTo,
} from '../documents/openapi.ts';
import { callerOf } from '../guards/authentication.ts';
import {
  answerIdempotently,
  idempotencyKeyOf,
  markReplayed,
  refuseKey,
  schemaFaultsOf,
} from '../guards/idempotency.ts';
import type { HttpServices } from '../services.ts';

export const ChallengePath = Type.Object({
  challenge_id: Type.String({ pattern: idPattern('ch'), examples: ['ch_01kb2m7x9ee6rbb4hd5v1kq0zt'] }),
});

const Filters = Type.Object(
  {
    status: Type.Optional(Type.Enum([...CHALLENGE_STATUSES])),
    customer_reference: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    created_after: Type.Optional(Type.String({ format: 'date-time', description: 'Inclusive.' })),
    created_before: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    cursor: Type.Optional(
      Type.String({ maxLength: 512, description: '`next_cursor` of the previous page.' }),
    ),
  },
  { additionalProperties: false },
);

const SummaryPage = Type.Object({
  data: Type.Array(refTo<ChallengeSummary>('ChallengeSummary')),
  next_cursor: NullableString,
});

export function challengeRoutes(app: App, services: HttpServices): void {
  createRoute(app, services);
  listRoute(app, services);
  resultRoute(app, services);
  deliveriesRoute(app, services);
  endRoutes(app, services);
}

function createRoute(app: App, services: HttpServices): void {
  app.route({
    method: 'POST',
    url: '/v1/create-challenge',
    attachValidation: true,
    schema: {
      operationId: 'createChallenge',
      tags: ['Challenges'],
      summary: 'Create a challenge',
      description:
        'Give `challenge_url` to the person. FeatureIDs are checked at creation. A refusal lists every fault of the body at once.',
      headers: IdempotencyHeaders,
      body: refTo<CreateChallengeRequest>('CreateChallengeRequest'),
      response: {
        201: {
          description: 'Created',
          headers: { Location: { type: 'string', description: 'Path of the challenge.' } },
          content: {
            'application/json': { schema: refTo<CreateChallengeResponse>('CreateChallengeResponse') },
          },
        },
        ...problemResponses(
          ...COMMON_PROBLEMS,
          ...BODY_PROBLEMS,
          ...IDEMPOTENCY_PROBLEMS,
          'featid-paused',
          ...ACCOUNT_LIMITS,
        ),
      },
    },
    handler: async (request, reply) => {
      const outcome = await services.challenges.create(callerOf(request), {
        body: request.body,
        schemaFaults: schemaFaultsOf(request),
        idempotencyKey: idempotencyKeyOf(request),
      });
      if (outcome.status === 'in_flight' || outcome.status === 'key_reused') {
        return refuseKey(reply, outcome.status);
      }
      if (outcome.replayed) markReplayed(reply);
      // A replayed refusal stays the same, however long the client waits.
      const retryAfter = (seconds: number) => (outcome.replayed ? {} : { retryAfterSeconds: seconds });
      switch (outcome.status) {
        case 'created':
          reply.code(201).header('location', `/v1/challenges/${outcome.response.challenge_id}`);
          return reply.send({
            ...outcome.response,
            ...(await warningsOf(services, callerOf(request), request.body)),
          });
        case 'invalid':
          return reply.problem('validation-failed', { errors: outcome.faults });
        case 'paused':
          return reply.problem('featid-paused', {
            errors: outcome.faults,
            ...retryAfter(outcome.retryAfterSeconds),
          });
        case 'limit_reached':
          return reply.problem(outcome.limit, retryAfter(outcome.retryAfterSeconds));
        default:
          // An outcome without an answer does not compile.
          return outcome satisfies never;
      }
    },
  });
}

/** Nothing if there is nothing to warn of. */
async function warningsOf(
  { reviewLogo }: HttpServices,
  { accountId }: Caller,
  { flow_style }: CreateChallengeRequest,
): Promise<Pick<CreateChallengeResponse, 'warnings'>> {
  const logo = flow_style?.logo_public_url;
  const warnings = logo ? await reviewLogo(accountId, logo) : [];
  return warnings.length > 0 ? { warnings } : {};
}

function listRoute(app: App, services: HttpServices): void {
  app.route({
    method: 'GET',
    url: '/v1/challenges',
    schema: {
      operationId: 'listChallenges',
      tags: ['Challenges'],
      summary: 'List challenges, newest first',
      querystring: Filters,
      response: {
        200: { description: 'A page', content: { 'application/json': { schema: SummaryPage } } },
        ...problemResponses(...COMMON_PROBLEMS, 'validation-failed'),
      },
    },
    handler: async (request, reply) => {
      const outcome = await services.challenges.list(callerOf(request), request.query);
      if (outcome.status === 'ok') {
        return reply.send({ data: outcome.data, next_cursor: outcome.next_cursor });
      }
      const fault = {
        pointer: '/cursor',
        code: 'invalid_format',
        detail: 'is not a cursor of this list',
      } as const;
      return reply.problem('validation-failed', { errors: [fault] });
    },
  });
}

function resultRoute(app: App, services: HttpServices): void {
  app.route({
    method: 'GET',
    url: '/v1/challenges/:challenge_id',
    schema: {
      operationId: 'getChallenge',
      tags: ['Challenges'],
      summary: 'Read a challenge with its result',
      description: 'The same object that webhooks carry, with fresh asset links.',
      params: ChallengePath,
      response: {
        200: resultResponse('The challenge'),
        ...problemResponses(...COMMON_PROBLEMS, 'not-found'),
      },
    },
    handler: async (request, reply) => {
      const outcome = await services.challenges.read(callerOf(request), request.params.challenge_id);
      if (outcome.status === 'not_found') return reply.problem('not-found');
      return reply.send(outcome.result);
    },
  });
}

function deliveriesRoute(app: App, services: HttpServices): void {
  app.route({
    method: 'GET',
    url: '/v1/challenges/:challenge_id/deliveries',
    schema: {
      operationId: 'listDeliveries',
      tags: ['Webhooks'],
      summary: 'Deliveries of a challenge with their attempts',
      params: ChallengePath,
      response: {
        200: {
          description:
            'All deliveries, oldest first, in one page: `next_cursor` is null, and there is no `limit` or `cursor`.',
          content: { 'application/json': { schema: refTo<DeliveryList>('DeliveryList') } },
        },
        ...problemResponses(...COMMON_PROBLEMS, 'not-found'),
      },
    },
    handler: async (request, reply) => {
      const { accountId } = callerOf(request);
      const isKnown = await services.challenges.isKnown(accountId, request.params.challenge_id);
      if (!isKnown) return reply.problem('not-found');
      const data = await services.deliveries.list(accountId, request.params.challenge_id);
      return reply.send({ data, next_cursor: null } satisfies DeliveryList);
    },
  });
}

function endRoutes(app: App, services: HttpServices): void {
  app.route({
    method: 'POST',
    url: '/v1/challenges/:challenge_id/cancel',
    schema: {
      operationId: 'cancelChallenge',
      tags: ['Challenges'],
      summary: 'Cancel an open challenge',
      description: 'The link stops working and no notification is sent. Cancelling twice is not an error.',
      headers: IdempotencyHeaders,
      params: ChallengePath,
      response: {
        200: resultResponse('The cancelled challenge'),
        ...problemResponses(
          ...COMMON_PROBLEMS,
          ...READING_PROBLEMS,
          ...IDEMPOTENCY_PROBLEMS,
          'not-found',
          'state-conflict',
        ),
      },
    },
    handler: async (request, reply) =>
      answerIdempotently(
        services,
        request,
        reply,
        async () => {
          const outcome = await services.challenges.cancel(callerOf(request), request.params.challenge_id);
          if (outcome.status === 'ok') return { status: 200, body: outcome.result };
          if (outcome.status === 'not_found') return { problem: 'not-found' };
          return { problem: 'state-conflict', detail: `The challenge is ${outcome.current}.` };
        },
        request.params.challenge_id,
      ),
  });
  app.route({
    method: 'DELETE',
    url: '/v1/challenges/:challenge_id',
    schema: {
      operationId: 'eraseChallenge',
      tags: ['Challenges'],
      summary: 'Erase a challenge',
      description:
        'Erases video, frames, result and biometric data at once, makes its FeatureID worthless and cancels deliveries. From the response on, nothing can be read any more; the bytes of its keys are in no file of the database within 60 seconds. An audit record without biometric content remains.',
      params: ChallengePath,
      response: {
        204: { type: 'null', description: 'Erased' },
        ...problemResponses(...COMMON_PROBLEMS, ...READING_PROBLEMS, 'not-found'),
      },
    },
    handler: async (request, reply) => {
      const outcome = await services.challenges.erase(callerOf(request), request.params.challenge_id);
      return outcome.status === 'erased' ? reply.code(204).send(null) : reply.problem('not-found');
    },
  });
}

function resultResponse(description: string): object {
  return {
    description,
    content: { 'application/json': { schema: refTo<ChallengeResult>('ChallengeResult') } },
  };
}
