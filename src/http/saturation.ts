// What a request is told where the event loop is behind its time.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem, RETRY_WHEN_SATURATED_SECONDS } from './problem-reply.ts';

/**
 * Refuses the request; lets it pass where the delay is infinite. It is where the loop did not turn once in the second that was
 * measured, as in that of a start: the second after it tells whether the process is behind.
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
