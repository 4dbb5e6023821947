// Requests per time: of one API key, of one address, of all together. Counted in this process; several instances each
// count their own: a shared counter would cost each request a write to the database, to guard against what a guess of a
// FeatureID is guarded against there anyway (src/featid).
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from './problem-reply.ts';

const MINUTE_MS = 60_000;

/** So many requests in a window of time that begins with the first of them. */
export interface Rate {
  readonly max: number;
  /** Default: a minute. */
  readonly windowMs?: number;
  /** What is counted as one: a key id, an address, or the same text for all. */
  readonly countedBy: (request: FastifyRequest) => string;
  /** What the 429 says; default: the rate. */
  readonly detail?: string;
}

/**
 * What counts as one address: an IPv4 address, also one mapped into IPv6, or the /64 that an IPv6 subscriber is given. Some
 * gateways write the port behind it (`203.0.113.9:51234`, `[2001:db8::1]:51234`): each connection would be another one.
 */
export const addressOf = ({ ip }: Pick<FastifyRequest, 'ip'>): string =>
  normalizeIP(ip.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1'));

/**
 * Counts a request, puts `RateLimit-*` headers on its answer, and throws 429 with `Retry-After` past the rate. Needs
 * @fastify/rate-limit on the root. The counters of a rate are those of its latest 20,000 addresses or keys.
 */
export function createRateCounter(
  scope: FastifyInstance,
  rate: Rate,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const { max, windowMs = MINUTE_MS, countedBy, detail = `At most ${max} requests a minute.` } = rate;
  const count = scope.createRateLimit({ max, timeWindow: windowMs, keyGenerator: countedBy });
  return async (request, reply) => {
    const counted = await count(request);
    if (counted.isAllowed) return;
    reply.headers({
      'ratelimit-limit': counted.max,
      'ratelimit-remaining': counted.remaining,
      'ratelimit-reset': counted.ttlInSeconds,
    });
    if (!counted.isExceeded) return;
    throw new HttpProblem('rate-limited', { detail, retryAfterSeconds: counted.ttlInSeconds });
  };
}

/** Counts every request of a scope. */
export function limitRate(scope: FastifyInstance, rate: Rate): void {
  scope.addHook('onRequest', createRateCounter(scope, rate));
}
