// One call of the API: authentication, time limit, and retries that cannot do anything twice.
import type { Problem } from '../contract/problem.ts';
import { LikenessProblem, LikenessUnreachable } from './problem-error.ts';

export interface ClientOptions {
  /** Base address of the region that the key belongs to, such as `https://au.likeness.example`. */
  readonly baseUrl: string;
  /** `lk_live_…` or `lk_test_…`. It belongs on a server, never in a browser or an app. */
  readonly apiKey: string;
  /** Time limit of one attempt. */
  readonly timeoutMs?: number;
  /**
   * Further attempts after no answer, 503, 409 while the first is under way, and 429 but for refusals that a request with this
   * idempotency key keeps.
   */
  readonly maxRetries?: number;
  /** Another fetch, for proxies and tests. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Two calls with one key do one thing (24 h). Made for every POST that has none, so that retries are safe. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** Sent as it is; its own bytes say of which kind it is. */
  readonly picture?: Uint8Array;
}

/** Recorded under the idempotency key: sent again with it they are answered alike, however long one waits. */
const RECORDED_429: ReadonlySet<string> = new Set(['featid-paused', 'storage-quota']);
/** Longest that one Retry-After is waited for; beyond it the problem is thrown. */
const MAX_RETRY_WAIT_MS = 30_000;

export class Transport {
  readonly #base: string;
  readonly #apiKey: string;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;
  readonly #fetch: typeof fetch;

  constructor(options: ClientOptions) {
    this.#base = options.baseUrl.replace(/\/+$/, '');
    this.#apiKey = options.apiKey;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#maxRetries = options.maxRetries ?? 2;
    this.#fetch = options.fetch ?? fetch;
  }

  /** @throws LikenessProblem when refused, LikenessUnreachable without an answer, the signal's reason when aborted. */
  async call<Answer>(call: Call, options: CallOptions = {}): Promise<Answer> {
    const headers = this.#headers(call, options);
    let mayBeDone = false;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(call, headers, options.signal);
      if ('answer' in outcome) return outcome.answer as Answer;
      if (mayBeDone && isGone(call, outcome.failure)) return undefined as Answer;
      mayBeDone ||= outcome.failure instanceof LikenessUnreachable;
      const waitMs = outcome.retryable ? retryWaitMs(outcome.failure, attempt) : Infinity;
      if (attempt >= this.#maxRetries || waitMs > MAX_RETRY_WAIT_MS) throw outcome.failure;
      await pause(waitMs, options.signal);
    }
  }

  #headers(call: Call, options: CallOptions): Record<string, string> {
    return {
      authorization: `Basic ${this.#apiKey}`,
      accept: 'application/json',
      ...(call.body ? { 'content-type': 'application/json' } : {}),
      ...(call.picture ? { 'content-type': pictureType(call.picture) } : {}),
      ...(call.method === 'POST' ? { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() } : {}),
    };
  }

  async #attempt(
    call: Call,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<{ answer: unknown } | { failure: LikenessProblem | LikenessUnreachable; retryable: boolean }> {
    const limit = AbortSignal.timeout(this.#timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(this.#address(call), {
        method: call.method,
        headers,
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        ...(call.body ? { body: JSON.stringify(call.body) } : {}),
        ...(call.picture ? { body: call.picture as Uint8Array<ArrayBuffer> } : {}),
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const failure = new LikenessUnreachable(`no answer from ${this.#base}`, { cause });
      return { failure, retryable: true };
    }
    if (response.ok && response.headers.get('content-type')?.startsWith('application/jose'))
      return { answer: text };
    const body = parseJson(text);
    if (response.ok) return { answer: body };
    const after = Number(response.headers.get('retry-after') ?? Number.NaN);
    const failure = new LikenessProblem(
      (body ?? {}) as Partial<Problem>,
      response.status,
      Number.isFinite(after) ? after : undefined,
    );
    return { failure, retryable: isRetryable(failure) };
  }

  #address(call: Call): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) query.set(name, String(value));
    const text = query.toString();
    return this.#base + call.path + (text ? `?${text}` : '');
  }
}

function isRetryable({ status, kind }: LikenessProblem): boolean {
  // Its own first attempt, of which no answer came, is still being worked on.
  if (kind === 'idempotency-in-flight') return true;
  return status === 503 || (status === 429 && !RECORDED_429.has(kind));
}

/** An attempt without an answer has erased what the next one does not find. */
function isGone({ method }: Call, failure: LikenessProblem | LikenessUnreachable): boolean {
  return method === 'DELETE' && failure instanceof LikenessProblem && failure.status === 404;
}

/** The service looks for itself; it only has to be one of those that it takes. */
function pictureType(picture: Uint8Array): string {
  if (picture[0] === 0x89) return 'image/png';
  if (picture[0] === 0x52) return 'image/webp';
  return picture[0] === 0x42 ? 'image/bmp' : 'image/jpeg';
}

function retryWaitMs(failure: LikenessProblem | LikenessUnreachable, attempt: number): number {
  const asked = failure instanceof LikenessProblem ? failure.retryAfterSeconds : undefined;
  // Half a second, doubled each time, with up to half of it at random so that clients do not come back in step.
  return asked === undefined ? 500 * 2 ** attempt * (1 + Math.random() / 2) : asked * 1000;
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
