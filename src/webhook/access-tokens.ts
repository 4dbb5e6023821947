// OAuth access tokens for receivers that require them: client credentials grant, fetched through the guarded fetch,
// kept in memory until shortly before they expire.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
} from 'oauth4webapi';
import type { Clock } from '../base/clock.ts';
import type { TokenFailure } from '../contract/delivery.ts';
import { CallError } from '../outbound/call-error.ts';
import type { GuardedAgent } from '../outbound/guarded-agent.ts';
import { createGuardedFetch } from '../outbound/guarded-fetch.ts';
import { retryAfterMs } from './schedule.ts';

/** What identifies a token: a change in any part means another token. */
export interface TokenRequest {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
  readonly audience?: string | undefined;
}

export type TokenResult =
  | { readonly kind: 'token'; readonly value: string }
  | {
      readonly kind: 'failed';
      readonly code: TokenFailure;
      readonly responseStatus: number | null;
      /** The `Retry-After` of the token endpoint. */
      readonly retryAfterMs: number | null;
    };

export interface AccessTokens {
  /** A valid token, from memory or fetched. Concurrent callers with the same request share one fetch. */
  get(request: TokenRequest, timeoutMs: number): Promise<TokenResult>;
  /** A token other than `refused`, which the receiver answered with 401. */
  renew(request: TokenRequest, refused: string, timeoutMs: number): Promise<TokenResult>;
}

/** Most tokens kept; the least recently used is dropped first. */
const MAX_TOKENS = 2_000;
const FETCH_TIMEOUT_MS = 10_000;
/** Token answers are some kB even with long JWTs. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** If the server states no lifetime (RFC 6749 §5.1 recommends it): short, and a 401 renews the token anyway. */
const UNSTATED_LIFETIME_MS = 300_000;
/** A token is dropped this long before it expires, or a tenth of its lifetime before, if that is shorter. */
const EXPIRY_MARGIN_MS = 60_000;
/** Visible ASCII (RFC 6749 appendix A.12); anything else is not allowed in a header. */
const ACCESS_TOKEN = /^[\x21-\x7e]{1,16384}$/;

type AuthenticationMethod = 'client_secret_basic' | 'client_secret_post';
type Failed = Extract<TokenResult, { kind: 'failed' }>;
type FetchedToken =
  | { kind: 'token'; value: string; method: AuthenticationMethod; usableUntilMs: number }
  | Failed;

/** Makes the token cache of one process. */
export function createAccessTokens(options: {
  agent: GuardedAgent;
  clock: Clock;
  /** OAuth endpoints must be https (production). */
  requireHttps: boolean;
  userAgent: string;
}): AccessTokens {
  const kept = new LRUCache<string, FetchedToken & { kind: 'token' }>({ max: MAX_TOKENS });
  const inFlight = new Map<string, Promise<FetchedToken>>();

  function fetchOnce(key: string, request: TokenRequest): Promise<FetchedToken> {
    const running = inFlight.get(key);
    if (running) return running;
    const fetching = fetchToken(options, request, kept.get(key)?.method ?? 'client_secret_basic')
      .then((fetched) => {
        if (fetched.kind === 'token') kept.set(key, fetched);
        return fetched;
      })
      .finally(() => inFlight.delete(key));
    inFlight.set(key, fetching);
    return fetching;
  }

  async function get(request: TokenRequest, timeoutMs: number, refused?: string): Promise<TokenResult> {
    const key = keyOf(request);
    const known = kept.get(key);
    if (known && known.value !== refused && known.usableUntilMs > options.clock.now().getTime()) {
      return { kind: 'token', value: known.value };
    }
    return within(timeoutMs, fetchOnce(key, request));
  }

  return {
    get: (request, timeoutMs) => get(request, timeoutMs),
    renew: (request, refused, timeoutMs) => get(request, timeoutMs, refused),
  };
}

/**
 * A hash, so that no key holds a secret in the clear: it may stay in a heap dump's strings long after the token is
 * gone.
 */
function keyOf(request: TokenRequest): string {
  const { url, clientId, clientSecret, scope, audience } = request;
  return createHash('sha256')
    .update(JSON.stringify([url, clientId, clientSecret, scope ?? null, audience ?? null]))
    .digest('base64');
}

/** Applies the caller's own timeout. The shared fetch continues for the others. */
async function within(timeoutMs: number, fetching: Promise<FetchedToken>): Promise<TokenResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<TokenResult>((resolve) => {
    timer = setTimeout(() => resolve(failed('oauth_timeout', null)), timeoutMs);
  });
  return Promise.race([fetching, late]).finally(() => clearTimeout(timer));
}

/**
 * Tries one way of sending the secret (HTTP Basic, in the body), then the other if the server refuses that with 400 or
 * 401.
 */
async function fetchToken(
  options: Parameters<typeof createAccessTokens>[0],
  request: TokenRequest,
  first: AuthenticationMethod,
): Promise<FetchedToken> {
  const deadline = performance.now() + FETCH_TIMEOUT_MS;
  const answer = await requestToken(options, request, first, deadline);
  const refused = answer.kind === 'failed' && answer.code === 'oauth_rejected';
  if (!refused || (answer.responseStatus !== 400 && answer.responseStatus !== 401)) return answer;
  const other = first === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
  const second = await requestToken(options, request, other, deadline);
  return second.kind === 'token' ? second : answer;
}

async function requestToken(
  options: Parameters<typeof createAccessTokens>[0],
  request: TokenRequest,
  method: AuthenticationMethod,
  deadline: number,
): Promise<FetchedToken> {
  const server = { issuer: request.url, token_endpoint: request.url };
  const client = { client_id: request.clientId };
  const authenticate = method === 'client_secret_basic' ? ClientSecretBasic : ClientSecretPost;
  const parameters = new URLSearchParams();
  if (request.scope) parameters.set('scope', request.scope);
  if (request.audience) parameters.set('audience', request.audience);
  const guardedFetch = createGuardedFetch(options.agent, {
    timeoutMs: Math.max(1, deadline - performance.now()),
    maxBodyBytes: MAX_ANSWER_BYTES,
    requireHttps: options.requireHttps,
    userAgent: options.userAgent,
  });
  let status: number | null = null;
  try {
    const response = await clientCredentialsGrantRequest(
      server,
      client,
      authenticate(request.clientSecret),
      parameters,
      // The guard decides whether http is allowed, and has its own code for a refusal.
      { [customFetch]: guardedFetch, [allowInsecureRequests]: true },
    );
    status = response.status;
    if (!response.ok) {
      const retryAfter = response.headers.get('retry-after');
      return failed('oauth_rejected', status, retryAfterMs(retryAfter, options.clock.now()));
    }
    const token = await processClientCredentialsResponse(server, client, response);
    if (!ACCESS_TOKEN.test(token.access_token)) return failed('oauth_malformed_response', status);
    const usableUntilMs = options.clock.now().getTime() + usableMs(token.expires_in);
    return { kind: 'token', value: token.access_token, method, usableUntilMs };
  } catch (error) {
    if (error instanceof CallError) return failed(`oauth_${error.reason}`, null);
    // The library's errors quote the answer; our codes say enough and hold no secret. Without a status the library
    // itself refused the URL, and nothing was called.
    return failed(status === null ? 'oauth_invalid_url' : 'oauth_malformed_response', status);
  }
}

/** How long a token is used, from its lifetime in seconds. */
function usableMs(expiresIn: number | undefined): number {
  const lifetimeMs = expiresIn === undefined ? UNSTATED_LIFETIME_MS : expiresIn * 1000;
  return lifetimeMs - Math.min(EXPIRY_MARGIN_MS, lifetimeMs / 10);
}

function failed(
  code: TokenFailure,
  responseStatus: number | null,
  retryAfterMs: number | null = null,
): Failed {
  return { kind: 'failed', code, responseStatus, retryAfterMs };
}
