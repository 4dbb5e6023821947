// Authenticates API calls: HTTP Basic with an API key, checked before any byte of the body is read. Wrong keys are
// counted before the database is queried for them. Keys that were valid before pass, whatever others send.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../challenge/services.ts';
import { type ApiKeyText, readAuthorization } from '../../keys/api-key.ts';
import { HttpProblem } from '../problems/problem-reply.ts';
import type { HttpServices } from '../services.ts';
import { addressOf, createRateCounter } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set in the authenticated scope only; read it with `callerOf`. */
    caller: Caller | null;
  }
}

/** Limits on keys that are not known to be valid. */
export interface StrangerLimits {
  /** From one address. */
  readonly failuresPerMinute: number;
  /** From all addresses together, for keys that must be looked up. */
  readonly unknownKeysPerSecond: number;
}

/** Lets only callers with a valid key into this scope; all others get 401, or 429 past the limits. */
export function requireApiKey(
  scope: FastifyInstance,
  accounts: HttpServices['accounts'],
  limits: StrangerLimits,
): void {
  const countStranger = createStrangerCounter(scope, accounts, limits);
  scope.addHook('onRequest', async (request, reply) => {
    const { authorization } = request.headers;
    const key = readAuthorization(authorization);
    if (authorization) await countStranger(key, request, reply);
    const principal = key ? await accounts.authenticate(key) : null;
    if (principal) {
      const { accountId, keyId, sandbox } = principal;
      request.caller = { accountId, actor: keyId, sandbox };
      return;
    }
    reply.header('www-authenticate', 'Basic realm="likeness", charset="UTF-8"');
    throw new HttpProblem('unauthorized', { detail: whyUnauthorized(authorization) });
  });
}

/** Says what was mistaken for a key, and never repeats it. */
function whyUnauthorized(authorization: string | undefined): string {
  if (!authorization) return 'Send `Authorization: Basic API_KEY`.';
  if (/^bearer\b/i.test(authorization))
    return 'Send the API key as `Authorization: Basic API_KEY`, not as Bearer.';
  if (isWebhookSecret(authorization))
    return 'This is a webhook secret, which signs what the service sends. Send an API key: it begins with `lk_`.';
  return 'The API key is not valid: unknown, expired or revoked.';
}

/** Whether the key, as it is or in base64, begins as a webhook secret does. */
function isWebhookSecret(authorization: string): boolean {
  const given = authorization.replace(/^basic\s+/i, '');
  return [given, Buffer.from(given, 'base64').toString('latin1')].some((text) => text.startsWith('whsec_'));
}

/**
 * Counts every key except those that were valid before. A key's first use in a process counts too: it is not known yet.
 */
function createStrangerCounter(
  scope: FastifyInstance,
  accounts: HttpServices['accounts'],
  { failuresPerMinute, unknownKeysPerSecond }: StrangerLimits,
): (key: ApiKeyText | undefined, request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const countAddress = createRateCounter(scope, {
    max: failuresPerMinute,
    countedBy: addressOf,
    detail: `At most ${failuresPerMinute} wrong API keys a minute from one address.`,
  });
  const countAll = createRateCounter(scope, {
    max: unknownKeysPerSecond,
    windowMs: 1_000,
    countedBy: () => 'all',
    detail: 'Too many unknown API keys are being tried. A key that was used before keeps working.',
  });
  return async (key, request, reply) => {
    const standing = key ? accounts.recall(key) : 'wrong';
    if (standing === 'trusted') return;
    await countAddress(request, reply);
    if (standing === 'unknown') await countAll(request, reply);
  };
}

/** The authenticated caller of a request inside the authenticated scope. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('route outside the authenticated scope');
  return request.caller;
}
