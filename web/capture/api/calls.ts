// The page's calls to its own challenge, /c/{token}/…: JSON in, JSON or a fault out. Nothing else is ever called.
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { CaptureConflict } from '../../../src/contract/capture-conflict.ts';
import type {
  CaptureOutcome,
  CaptureProgress,
  CaptureState,
  CommitRequest,
  ConsentRequest,
  DEVICE_HEADER as DeviceHeader,
  DeviceRequest,
  IssuedCapture,
  IssueRequest,
  ReceivedBytes,
  SlicesRequest,
  StartAnswer,
} from '../../../src/contract/capture-page.ts';
import type { PasskeyAnswer } from '../../../src/contract/device.ts';
import type { PageEventRequest } from '../../../src/contract/page-event.ts';
import type { SandboxRequest } from '../../../src/contract/sandbox.ts';

/** Written again, because the contract's file would bring its schemas into the page. */
const DEVICE_HEADER: typeof DeviceHeader = 'likeness-device';
/** Timeout of a call. The long poll adds the seconds that it asks the server to wait. */
const CALL_TIMEOUT_MS = 15_000;
const CHUNK_TIMEOUT_MS = 60_000;
/** Bytes in trial that take longer would delay the recording's own. Chosen, not measured. */
const TRIAL_TIMEOUT_MS = 5_000;
/** Seconds that the server may hold the request for the outcome (long poll). */
const OUTCOME_WAIT_SECONDS = 20;

/** Why a call to the server failed, as far as the person is concerned. */
export type CallFault =
  | 'offline'
  | 'unknown_link'
  /** The challenge has expired. */
  | 'gone'
  /** The client cancelled the challenge. */
  | 'cancelled'
  /** The challenge was completed elsewhere. */
  | 'used'
  /** A later start on another device or in another tab has taken the check over, or a recording is under way there. */
  | 'other_device'
  /** The check is tied to another browser, and starts only there. */
  | 'other_browser'
  | 'conflict'
  /** Rate-limited, or paused after failed checks. Try again later. */
  | 'too_many'
  /** Something between this page and the server refuses the call. */
  | 'blocked'
  | 'server';

/** The result of a call. On a refusal, `body` is whatever was sent; the upload reads that of a chunk's 409. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly fault: CallFault;
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterMs: number | null;
    };

export interface Calls {
  state(): Promise<Answer<CaptureState>>;
  start(): Promise<Answer<StartAnswer>>;
  consent(body: ConsentRequest): Promise<Answer<CaptureState>>;
  report(body: PageEventRequest): Promise<Answer<unknown>>;
  endInSandbox(body: SandboxRequest): Promise<Answer<unknown>>;
  /** Sends bytes as a chunk is sent, to see whether they arrive; the server keeps nothing of them. */
  tryWay(bytes: Blob, signal: AbortSignal): Promise<Answer<unknown>>;
  /** @param way what the person cannot do is left out; null: nothing */
  issueCapture(way: AccessibleWay | null): Promise<Answer<IssuedCapture>>;
  announce(captureId: string, body: SlicesRequest): Promise<Answer<ReceivedBytes>>;
  commit(captureId: string, body: CommitRequest): Promise<Answer<ReceivedBytes>>;
  progress(captureId: string): Promise<Answer<CaptureProgress>>;
  append(captureId: string, offset: number, bytes: Blob, signal: AbortSignal): Promise<Answer<ReceivedBytes>>;
  answer(captureId: string, body: PasskeyAnswer): Promise<Answer<ReceivedBytes>>;
  outcome(): Promise<Answer<CaptureOutcome>>;
}

/**
 * @param base path of the challenge: `/c/{token}` with any path prefix before it
 * @param deviceToken the tab's token, sent with every call: in the body where that is JSON
 */
export function createCalls(base: string, deviceToken: string): Calls {
  const json = (path: string, body: object, timeoutMs = CALL_TIMEOUT_MS, credentials?: 'same-origin') => {
    const sent: DeviceRequest = { ...body, device_token: deviceToken };
    const type = 'application/json';
    return send(
      base + path,
      {},
      { method: 'POST', body: JSON.stringify(sent), type, timeoutMs, credentials },
    );
  };
  // The calls up to a recording carry the cookie of the browser that began the challenge. No other call sends cookies.
  const step = (path: string, body: object) => json(path, body, CALL_TIMEOUT_MS, 'same-origin');
  const state = () => json('/state', {}) as Promise<Answer<CaptureState>>;
  const sendByHeader = byHeader(deviceToken, state);
  const get = (path: string, timeoutMs: number) => sendByHeader(base + path, { method: 'GET', timeoutMs });
  const octets = (path: string, bytes: Blob, signal: AbortSignal, timeoutMs: number) =>
    // Firewalls that know only forms refuse PATCH.
    sendByHeader(base + path, {
      method: 'POST',
      timeoutMs,
      body: bytes,
      type: 'application/octet-stream',
      signal,
    });
  const capture = (id: string) => `/captures/${encodeURIComponent(id)}`;
  return {
    state,
    start: () => step('/start', {}) as Promise<Answer<StartAnswer>>,
    consent: (body) => step('/consent', body) as Promise<Answer<CaptureState>>,
    report: (body) => step('/events', body),
    endInSandbox: (body) => json('/sandbox', body),
    tryWay: (bytes, signal) => octets('/captures/trial/bytes', bytes, signal, TRIAL_TIMEOUT_MS),
    issueCapture: (way) =>
      step('/captures', (way ? { way } : {}) satisfies IssueRequest) as Promise<Answer<IssuedCapture>>,
    // The server waits only seconds for these, so a call that hangs must leave time for another.
    announce: (id, body) => json(`${capture(id)}/slices`, body, 2_500) as Promise<Answer<ReceivedBytes>>,
    commit: (id, body) => json(`${capture(id)}/commit`, body, 4_000) as Promise<Answer<ReceivedBytes>>,
    progress: (id) => get(capture(id), 2_500) as Promise<Answer<CaptureProgress>>,
    append: (id, offset, bytes, signal) =>
      octets(`${capture(id)}/bytes?offset=${offset}`, bytes, signal, CHUNK_TIMEOUT_MS) as Promise<
        Answer<ReceivedBytes>
      >,
    answer: (id, body) => json(`${capture(id)}/passkey`, body) as Promise<Answer<ReceivedBytes>>,
    outcome: () =>
      get(
        `/outcome?wait_seconds=${OUTCOME_WAIT_SECONDS}`,
        CALL_TIMEOUT_MS + OUTCOME_WAIT_SECONDS * 1000,
      ) as Promise<Answer<CaptureOutcome>>,
  };
}

interface Request {
  readonly method: string;
  readonly timeoutMs: number;
  readonly body?: string | Blob;
  readonly type?: string;
  readonly signal?: AbortSignal;
  readonly credentials?: 'same-origin' | undefined;
}

/**
 * Makes the calls whose body is not JSON: as this device by a header.
 * @param state asks for the state in JSON, to tell a check that is another device's from a header that was dropped
 */
function byHeader(
  token: string,
  state: () => Promise<Answer<CaptureState>>,
): (url: string, request: Request) => Promise<Answer<unknown>> {
  const byStandard = { authorization: `Bearer ${token}` };
  let headers: Readonly<Record<string, string>> = { [DEVICE_HEADER]: token };
  return async (url, request) => {
    const answer = await send(url, headers, request);
    if (!isOfAnother(answer)) return answer;
    // Perhaps a proxy drops the header that it does not know. Where a proxy wants a password, it wants it in this one,
    // so it is not the first choice.
    const again = await send(url, byStandard, request);
    if (!isOfAnother(again)) {
      headers = byStandard;
      return again;
    }
    const known = await state();
    if (!known.ok) return known;
    return known.value.bound_here ? { ...again, fault: 'blocked' } : again;
  };
}

const isOfAnother = (answer: Answer<unknown>): answer is Extract<Answer<unknown>, { ok: false }> =>
  !answer.ok && answer.fault === 'other_device';

async function send(
  url: string,
  deviceHeaders: Readonly<Record<string, string>>,
  request: Request,
): Promise<Answer<unknown>> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  request.signal?.addEventListener('abort', abort);
  const timer = setTimeout(abort, request.timeoutMs);
  try {
    const response = await fetch(url, {
      method: request.method,
      headers: {
        ...deviceHeaders,
        ...(request.type === undefined ? {} : { 'content-type': request.type }),
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      cache: 'no-store',
      credentials: request.credentials ?? 'omit',
      signal: controller.signal,
    });
    const text = await response.text();
    const body = bodyOf(text, response.status);
    if (response.ok) return { ok: true, value: body };
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      ok: false,
      fault: faultOf(response.status, body),
      status: response.status,
      body,
      retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : null,
    };
  } catch {
    // Refused, cut off, timed out, or not JSON (a captive portal). To the person, all of these mean no connection.
    return { ok: false, fault: 'offline', status: 0, body: null, retryAfterMs: null };
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', abort);
  }
}

/** Statuses with which a network demands a sign-in first. */
const SIGN_IN: readonly number[] = [401, 407, 511];

/**
 * Parses a response body. Returns null for a proxy's own page that refuses the call, or stands in front of a service
 * that is down or busy.
 * @throws SyntaxError for any other body that is not JSON: a captive portal's
 */
function bodyOf(text: string, status: number): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (status >= 400 && !SIGN_IN.includes(status)) return null;
    throw error;
  }
}

/** Whether the refusal is the service's own: a problem (RFC 9457). A proxy's is a page, or nothing. */
const isProblem = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'type' in body && 'status' in body;

/** What a refusal means for the person. Any conflict other than `other_device` makes the page load the state again. */
function faultOf(status: number, body: unknown): CallFault {
  if (status < 500 && status !== 408 && status !== 429 && !isProblem(body)) return 'blocked';
  if (status === 404) return 'unknown_link';
  if (status === 410) return endOf(body);
  if (status === 409) {
    if (conflictOf(body) !== 'other_device') return 'conflict';
    return (body as { tied?: unknown }).tied === true ? 'other_browser' : 'other_device';
  }
  return status === 429 ? 'too_many' : 'server';
}

/** How a closed check ended: the extension member `closed` of a 410. */
function endOf(body: unknown): Extract<CallFault, 'gone' | 'cancelled' | 'used'> {
  const closed = typeof body === 'object' && body !== null && 'closed' in body ? body.closed : null;
  if (closed === 'completed') return 'used';
  return closed === 'cancelled' ? 'cancelled' : 'gone';
}

/** Which rule of the capture flow refused: the extension member `conflict` of a 409; null in any other answer. */
export function conflictOf(body: unknown): CaptureConflict | null {
  const said = typeof body === 'object' && body !== null && 'conflict' in body ? body.conflict : null;
  return typeof said === 'string' ? (said as CaptureConflict) : null;
}
