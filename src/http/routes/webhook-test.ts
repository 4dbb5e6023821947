// Tests a webhook endpoint: sends one signed sample at once and reports what came back.
import type { NotificationConfiguration } from '../../contract/challenge-request.ts';
import type { TestDelivery } from '../../contract/delivery.ts';
import type { App } from '../app-type.ts';
import {
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  IdempotencyHeaders,
  problemResponses,
  refTo,
} from '../documents/openapi.ts';
import { callerOf } from '../guards/authentication.ts';
import { createConcurrencyLimit } from '../guards/concurrency-limits.ts';
import { answerIdempotently } from '../guards/idempotency.ts';
import type { HttpLimits } from '../guards/limits.ts';
import type { HttpServices } from '../services.ts';

export function webhookTestRoutes(
  app: App,
  services: HttpServices,
  limits: Pick<HttpLimits, 'webhookTestsOfAccount' | 'webhookTestsAtOnce'>,
): void {
  // Otherwise an account could use this to flood a third party with calls, and use up what other accounts need.
  const acquire = createConcurrencyLimit({
    what: 'test webhooks',
    boundsOf: (request) => [
      { of: callerOf(request).accountId, most: limits.webhookTestsOfAccount, kind: 'rate-limited' },
      { of: 'all', most: limits.webhookTestsAtOnce, kind: 'saturated' },
    ],
  });
  app.route({
    method: 'POST',
    url: '/v1/webhooks/test',
    attachValidation: true,
    schema: {
      operationId: 'testWebhook',
      tags: ['Webhooks'],
      summary: 'Send a signed sample to an endpoint',
      description:
        'Sends one attempt immediately, within 15 s including OAuth. At most five run at a time. The response reports what came back; 200 does not mean delivered.',
      headers: IdempotencyHeaders,
      body: refTo<NotificationConfiguration>('NotificationConfiguration'),
      response: {
        200: {
          description: 'Sent',
          content: { 'application/json': { schema: refTo<TestDelivery>('TestDelivery') } },
        },
        ...problemResponses(...COMMON_PROBLEMS, ...BODY_PROBLEMS, ...IDEMPOTENCY_PROBLEMS),
      },
    },
    handler: async (request, reply) => {
      // Released when the call has ended: it continues even if its caller has disconnected.
      const release = acquire(request);
      try {
        return await answerIdempotently(services, request, reply, async () => {
          const errors = services.endpointFaults(request.body, '');
          if (errors.length > 0) return { problem: 'validation-failed', errors };
          const { accountId, actor } = callerOf(request);
          const sent = await services.deliveries.sendTest(accountId, request.body, actor);
          return { status: 200, body: sent };
        });
      } finally {
        release();
      }
    },
  });
}
