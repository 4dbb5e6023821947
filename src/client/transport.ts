// One API call: authentication, time limit, and retries that cannot do anything twice.
import { LikenessProblem, LikenessUnreachable } from './problem-error.ts';

export interface ClientOptions {
  /** Base address of the region that the key belongs to, such as `https://au.likeness.example`. */
  readonly baseUrl: string;
  /** `lk_live_…` or `lk_test_…`. It belongs on a server, never in a browser or an app. */
  readonly apiKey: string;
  /** Time limit of one attempt. Default: 30 s. */
  readonly timeoutMs?: number;
  /**
   * Most further attempts (default: 2) after no answer, 408, 502, 503, 504, 409 while the first attempt is in progress,
   * and 429, except for refusals that are recorded under the idempotency key.
   */
  readonly maxRetries?: number;
  /** Another fetch, for proxies and tests. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /**
   * Two calls with the same key do one thing (24 h). A POST without one gets a random key, so that retries are safe.
   */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** Sent unchanged; its format is recognised from its bytes. */
  readonly picture?: Uint8Array;
}

/**
 * Kinds of 429 that are not recorded under the idempotency key, a proxy's own included: any other is the same each
 * time.
 */
const UNRECORDED_429: ReadonlySet<string> = new Set(['rate-limited', 'unknown']);
/** Longest Retry-After that is waited for; beyond it the problem is thrown. */
const MAX_RETRY_WAIT_MS = 30_000;

/** What the service accepts (docs/interface.md, Idempotency). */
const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

interface PreparedRequest {
  readonly url: string;
  readonly method: Call['method'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export class Transport {
  readonly #base: string;
  readonly #apiKey: string;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;
  readonly #fetch: typeof fetch;

  /** @throws TypeError for an address or key with which no request can be made */
  constructor(options: ClientOptions) {
    this.#base = baseOf(options.baseUrl);
    this.#apiKey = usableKey(options.apiKey);
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#maxRetries = options.maxRetries ?? 2;
    this.#fetch = options.fetch ?? fetch;
  }

  /**
   * @throws LikenessProblem if the service refuses, LikenessUnreachable without an answer of the service, the signal's
   * reason if aborted, TypeError for a call that cannot be sent
   */
  async call<Answer>(call: Call, options: CallOptions = {}): Promise<Answer> {
    const request = this.#request(call, options);
    let mayHaveSucceeded = false;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(request, options.signal);
      if ('answer' in outcome) return outcome.answer as Answer;
      const { failure } = outcome;
      if (mayHaveSucceeded && isGone(call, failure)) return undefined as Answer;
      mayHaveSucceeded ||= !(failure instanceof LikenessProblem) || isGateway(failure);
      const waitMs = outcome.retryable ? retryWaitMs(failure, attempt) : Infinity;
      if (!(attempt < this.#maxRetries && waitMs <= MAX_RETRY_WAIT_MS)) throw failure;
      await pause(waitMs, options.signal);
    }
  }

  /** Prepared once, before any attempt: its faults are the caller's and must not look like an unreachable service. */
  #request(call: Call, options: CallOptions): PreparedRequest {
    const key = options.idempotencyKey ?? crypto.randomUUID();
    if (!IDEMPOTENCY_KEY.test(key))
      throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters');
    const body = call.body
      ? JSON.stringify(call.body)
      : (call.picture as Uint8Array<ArrayBuffer> | undefined);
    return {
      url: this.#address(call),
      method: call.method,
      headers: {
        authorization: `Basic ${this.#apiKey}`,
        accept: 'application/json',
        ...(call.body ? { 'content-type': 'application/json' } : {}),
        ...(call.picture ? { 'content-type': pictureType(call.picture) } : {}),
        ...(call.method === 'POST' ? { 'idempotency-key': key } : {}),
      },
      ...(body === undefined ? {} : { body }),
    };
  }

  async #attempt(
    { url, ...request }: PreparedRequest,
    signal: AbortSignal | undefined,
  ): Promise<{ answer: unknown } | { failure: LikenessProblem | LikenessUnreachable; retryable: boolean }> {
    const limit = AbortSignal.timeout(this.#timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(url, {
        ...request,
        // Following a redirect could send the API key to somebody else.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const failure = new LikenessUnreachable(`no answer from ${this.#base}${reasonOf(cause)}`, { cause });
      return { failure, retryable: true };
    }
    if (response.ok) return this.#answer(response, text);
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      return this.#notOurs('a redirect; set baseUrl to the exact address of the service', response);
    const failure = new LikenessProblem(parseJson(text), response.status, {
      requestId: response.headers.get('x-request-id'),
      retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after')),
    });
    return { failure, retryable: isRetryable(failure) };
  }

  #answer(
    response: Response,
    text: string,
  ): { answer: unknown } | { failure: LikenessUnreachable; retryable: boolean } {
    if (response.status === 204) return { answer: undefined };
    if (response.headers.get('content-type')?.startsWith('application/jose')) return { answer: text };
    const body = parseJson(text);
    return body === undefined
      ? this.#notOurs('the body is not JSON; something in between may be answering for the service', response)
      : { answer: body };
  }

  /** Not retryable: whatever answers in the service's place would say the same again. */
  #notOurs(why: string, { status }: Response): { failure: LikenessUnreachable; retryable: boolean } {
    const failure = new LikenessUnreachable(`no answer from ${this.#base}: HTTP ${status}, ${why}`);
    return { failure, retryable: false };
  }

  #address(call: Call): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) query.set(name, String(value));
    const text = query.toString();
    return this.#base + call.path + (text ? `?${text}` : '');
  }
}

/** Not `URL.canParse`: that of Node.js 20 refuses letters like é after some thousand calls. */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The base address with its path, without a trailing slash. */
function baseOf(baseUrl: string): string {
  const url = typeof baseUrl === 'string' ? parseUrl(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new TypeError('baseUrl must be an http or https address, such as https://au.likeness.example');
  if (url.username || url.password)
    throw new TypeError('baseUrl must not contain a user name or password: use apiKey');
  return url.href.replace(/\/+$/, '');
}

/** Checks the key here, because fetch's error for an invalid header contains the header, and so the key. */
function usableKey(apiKey: string): string {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (!/^[!-~]+$/.test(key)) throw new TypeError('apiKey must be an API key, such as lk_live_… or lk_test_…');
  return key;
}

function isRetryable(problem: LikenessProblem): boolean {
  const { status, kind } = problem;
  // The call's own earlier attempt, which got no answer, is still in progress.
  if (kind === 'idempotency-in-flight') return true;
  if (status === 408 || status === 503 || isGateway(problem)) return true;
  return status === 429 && UNRECORDED_429.has(kind);
}

/** A proxy reports that no answer of the service came. The service may have done its work all the same. */
function isGateway({ status }: LikenessProblem): boolean {
  return status === 502 || status === 504;
}

/** A 404 to a repeated DELETE: the earlier attempt without an answer has erased the object. */
function isGone({ method }: Call, failure: LikenessProblem | LikenessUnreachable): boolean {
  return method === 'DELETE' && failure instanceof LikenessProblem && failure.status === 404;
}

/** The service examines the bytes itself; the type only has to be one that it accepts. */
function pictureType(picture: Uint8Array): string {
  if (picture[0] === 0x89) return 'image/png';
  if (picture[0] === 0x52) return 'image/webp';
  return picture[0] === 0x42 ? 'image/bmp' : 'image/jpeg';
}

function retryWaitMs(failure: LikenessProblem | LikenessUnreachable, attempt: number): number {
  const asked = failure instanceof LikenessProblem ? failure.retryAfterSeconds : undefined;
  // Half a second, doubled each time, plus up to half at random so that clients do not retry in step.
  return asked === undefined ? 500 * 2 ** attempt * (1 + Math.random() / 2) : asked * 1000;
}

/** `Retry-After` in seconds. It may be seconds or a date; proxies send both (RFC 9110 §10.2.3). */
function retryAfterSeconds(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** A short form of the reason in the `cause` of fetch's error. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  const reason = typeof code === 'string' ? code : message;
  return typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, waitMs);
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
