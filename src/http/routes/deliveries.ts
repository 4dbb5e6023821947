// Sending a webhook delivery again.
import { Type } from 'typebox';
import type { Delivery } from '../../contract/delivery.ts';
import { Id } from '../../contract/field-types.ts';
import type { App } from '../app-type.ts';
import {
  COMMON_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  IdempotencyHeaders,
  problemResponses,
  READING_PROBLEMS,
  refTo,
} from '../documents/openapi.ts';
import { callerOf } from '../guards/authentication.ts';
import { type Answer, answerIdempotently } from '../guards/idempotency.ts';
import type { HttpServices } from '../services.ts';

export function deliveryRoutes(app: App, services: HttpServices): void {
  app.route({
    method: 'POST',
    url: '/v1/deliveries/:delivery_id/redeliver',
    schema: {
      operationId: 'redeliver',
      tags: ['Webhooks'],
      summary: 'Send a delivery again',
      description:
        'Makes the delivery due at once, whether or not it succeeded before, with a new run of the retry schedule and the same `webhook-id`.',
      headers: IdempotencyHeaders,
      params: Type.Object({ delivery_id: Id('msg') }),
      response: {
        202: {
          description: 'Due now',
          content: { 'application/json': { schema: refTo<Delivery>('Delivery') } },
        },
        ...problemResponses(
          ...COMMON_PROBLEMS,
          ...READING_PROBLEMS,
          ...IDEMPOTENCY_PROBLEMS,
          'not-found',
          'state-conflict',
        ),
      },
    },
    handler: async (request, reply) => {
      const { accountId } = callerOf(request);
      const { delivery_id: deliveryId } = request.params;
      const redeliver = async (): Promise<Answer> => {
        const outcome = await services.deliveries.redeliver(accountId, deliveryId);
        if (outcome.status === 'requeued') return { status: 202, body: outcome.delivery };
        if (outcome.status === 'not_found') return { problem: 'not-found' };
        const detail = 'Test events and cancelled deliveries are not sent again.';
        return { problem: 'state-conflict', detail };
      };
      const challengeId = await services.deliveries.challengeOf(accountId, deliveryId);
      return answerIdempotently(services, request, reply, redeliver, challengeId);
    },
  });
}
