// Rate limits per API key, per address and overall. Each process counts its own requests. A shared counter would cost a
// database write per request, to guard against guesses at FeatureIDs that the database guards against anyway
// (src/featid).
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problems/problem-reply.ts';

const MINUTE_MS = 60_000;

/** At most `max` requests in a window of time that begins with the first of them. */
export interface Rate {
  readonly max: number;
  /** Default: a minute. */
  readonly windowMs?: number;
  /** Key under which requests are counted together: a key id, an address, or the same text for all. */
  readonly countedBy: (request: FastifyRequest) => string;
  /** The `detail` of the 429; default: the rate. */
  readonly detail?: string;
}

/**
 * What counts as one address: an IPv4 address, also if mapped into IPv6, or the /64 that an IPv6 subscriber gets. Some
 * gateways append the port (`203.0.113.9:51234`, `[2001:db8::1]:51234`). It is removed, or each connection would count
 * as another address.
 */
export const addressOf = ({ ip }: Pick<FastifyRequest, 'ip'>): string =>
  normalizeIP(ip.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1'));

/** Whether the request was made on this machine, as through an SSH tunnel to it. */
export const isFromThisMachine = (request: Pick<FastifyRequest, 'ip'>): boolean =>
  /^(127\..*|::1)$/.test(request.ip.replace(/^::ffff:/, ''));

/**
 * Makes a function that counts a request, puts `RateLimit-*` headers on its answer, and throws 429 with `Retry-After`
 * past the rate. Needs @fastify/rate-limit on the root. A rate keeps the counters of its latest 20,000 addresses or
 * keys.
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

/** Counts every request of a scope against a rate. */
export function limitRate(scope: FastifyInstance, rate: Rate): void {
  scope.addHook('onRequest', createRateCounter(scope, rate));
}
