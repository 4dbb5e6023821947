// One attempt: an access token if the endpoint requires one, the signature, the guarded call, and its outcome.
import type { Clock } from '../base/clock.ts';
import type { NotificationConfiguration } from '../contract/challenge-request.ts';
import type { AttemptOutcome } from '../contract/delivery.ts';
import type { CallResult, GuardedAgent } from '../outbound/guarded-agent.ts';
import type { AccessTokens, TokenRequest, TokenResult } from './access-tokens.ts';
import { excerptOf } from './excerpt.ts';
import { retryAfterMs } from './schedule.ts';
import { signatureHeaders } from './signature.ts';

/** Time limit of a whole attempt, access token included. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Answers are read up to this size, so that after a short one the connection can be reused. An excerpt is kept. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** The status decides the outcome; a slow body must not keep the call open. */
const ANSWER_BODY_MS = 2_000;

/** How one attempt ended. */
export interface SentAttempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly responseStatus: number | null;
  readonly retryAfterMs: number | null;
  readonly excerpt: string | null;
  /** Whether the receiver is alive, even if it refused the delivery: it answered with a status below 500. */
  readonly answered: boolean;
}

/** What one attempt sends. */
export interface Message {
  deliveryId: string;
  configuration: NotificationConfiguration;
  /** The payload's JSON text, sent and signed byte for byte. */
  body: string;
  /** The secrets in force, newest first. */
  secrets: readonly string[];
  /** Rejects if the body must no longer be sent. Called when fetching a token took time after the body was read. */
  confirm?: () => Promise<void>;
}

/** Sends one attempt. Anything the other side does is an outcome; it rejects only for bugs and if `confirm` rejects. */
export type Send = (message: Message) => Promise<SentAttempt>;

/**
 * How long fetching a token may take before the body is confirmed again. An erasure is answered within a second and a
 * token endpoint within ten, and a body read before an erasure must not be sent after it. A token from memory takes no
 * time. Chosen, not measured.
 */
const CONFIRMED_FOR_MS = 50;

export interface SenderOptions {
  readonly agent: GuardedAgent;
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  /** `Likeness/VERSION` */
  readonly userAgent: string;
  /**
   * Refuse plain http for endpoints of every type (`WEBHOOK_REQUIRE_HTTPS`); default: only for those of type `https`.
   */
  readonly requireHttps?: boolean;
  /** Default 15 s. */
  readonly timeoutMs?: number | undefined;
}

type Ended = Omit<SentAttempt, 'at' | 'durationMs'>;

export function createSender(options: SenderOptions): Send {
  return async (message) => {
    const at = options.clock.now();
    const startedAt = performance.now();
    const deadline = startedAt + (options.timeoutMs ?? ATTEMPT_TIMEOUT_MS);
    const ended = await attempt(options, message, deadline);
    return { at, durationMs: Math.round(performance.now() - startedAt), ...ended };
  };
}

async function attempt(options: SenderOptions, message: Message, deadline: number): Promise<Ended> {
  const request = tokenRequestOf(message.configuration);
  if (!request) return endOf(await post(options, message, null, deadline), [], options.clock);
  const beganAt = performance.now();
  const token = await options.tokens.get(request, remaining(deadline));
  if (token.kind === 'failed') return withoutToken(token);
  if (performance.now() - beganAt > CONFIRMED_FOR_MS) await message.confirm?.();
  const first = await post(options, message, token.value, deadline);
  if (first.kind !== 'response' || first.status !== 401) {
    return endOf(first, [request.clientSecret, token.value], options.clock);
  }
  // A token may be revoked before it expires: renew it once, within the same attempt and its time limit.
  const renewed = await options.tokens.renew(request, token.value, remaining(deadline));
  if (renewed.kind === 'failed') return withoutToken(renewed);
  await message.confirm?.();
  const second = await post(options, message, renewed.value, deadline);
  return endOf(second, [request.clientSecret, token.value, renewed.value], options.clock);
}

function tokenRequestOf(configuration: NotificationConfiguration): TokenRequest | null {
  const oauth = configuration.properties.authentication?.properties;
  if (!oauth) return null;
  const { oauth_endpoint_url: url, client_id: clientId, client_secret: clientSecret } = oauth;
  return { url, clientId, clientSecret, scope: oauth.scope, audience: oauth.audience };
}

function post(
  options: SenderOptions,
  message: Message,
  token: string | null,
  deadline: number,
): Promise<CallResult> {
  return options.agent.call({
    url: message.configuration.properties.endpoint_url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': options.userAgent,
      ...signatureHeaders(message.deliveryId, options.clock.now(), message.body, message.secrets),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: message.body,
    timeoutMs: remaining(deadline),
    maxBodyBytes: MAX_ANSWER_BYTES,
    bodyTimeoutMs: ANSWER_BODY_MS,
    requireHttps: options.requireHttps === true || message.configuration.type === 'https',
  });
}

const remaining = (deadline: number) => Math.max(1, deadline - performance.now());

function withoutToken({ code, responseStatus, retryAfterMs }: TokenResult & { kind: 'failed' }): Ended {
  return { outcome: code, responseStatus, retryAfterMs, excerpt: null, answered: false };
}

function endOf(result: CallResult, secrets: readonly string[], clock: Clock): Ended {
  if (result.kind === 'failed') {
    return { outcome: result.code, responseStatus: null, retryAfterMs: null, excerpt: null, answered: false };
  }
  return {
    outcome: outcomeOf(result.status),
    responseStatus: result.status,
    retryAfterMs: retryAfterMs(result.headers['retry-after'], clock.now()),
    excerpt: excerptOf(result.body, secrets),
    answered: result.status < 500,
  };
}

/** 2xx is success, 410 asks for no more attempts, redirects are not followed (Standard Webhooks). */
function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status <= 299) return 'delivered';
  if (status === 410) return 'gone';
  return status >= 300 && status <= 399 ? 'redirect_refused' : 'http_status';
}
