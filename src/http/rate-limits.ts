// Requests per minute: of one API key on the API, of one address on the capture page and its links. Counted in this
// process; several instances each count their own: a shared counter would cost each request a write to the database,
// to guard against what a guess of a FeatureID is guarded against there anyway (src/featid).
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from './problem-reply.ts';

/** What is counted as one: a key id or an address. */
type CountedBy = (request: FastifyRequest) => string;

/**
 * Adds a limit to a scope, with `RateLimit-*` headers on every answer and 429 with `Retry-After` beyond it. Needs
 * @fastify/rate-limit on the root, which keeps the counters.
 */
export function limitRate(scope: FastifyInstance, perMinute: number, countedBy: CountedBy): void {
  const count = scope.createRateLimit({ max: perMinute, timeWindow: 60_000, keyGenerator: countedBy });
  scope.addHook('onRequest', async (request, reply) => {
    const limit = await count(request);
    if (limit.isAllowed) return;
    reply.headers({
      'ratelimit-limit': limit.max,
      'ratelimit-remaining': limit.remaining,
      'ratelimit-reset': limit.ttlInSeconds,
    });
    if (!limit.isExceeded) return;
    throw new HttpProblem('rate-limited', {
      detail: `At most ${limit.max} requests a minute.`,
      retryAfterSeconds: limit.ttlInSeconds,
    });
  });
}
