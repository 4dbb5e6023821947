// Refuses requests while the event loop lags behind.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem, RETRY_WHEN_SATURATED_SECONDS } from '../problems/problem-reply.ts';

/**
 * Refuses the request, unless the delay is infinite. It is infinite if the loop did not turn once in the measured
 * second, as in the second of a start; the next measurement tells whether the process is behind.
 * @throws HttpProblem `saturated`
 */
export async function refuseWhenBehind(
  request: FastifyRequest,
  _reply: FastifyReply,
  _type?: string,
  delayMs?: number,
): Promise<void> {
  if (delayMs === Number.POSITIVE_INFINITY) return;
  request.log.warn({ eventLoopDelayMs: delayMs }, 'saturated');
  throw new HttpProblem('saturated', { retryAfterSeconds: RETRY_WHEN_SATURATED_SECONDS });
}
