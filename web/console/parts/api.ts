// Calls to /console/api. Every refusal is a ConsoleProblem with a message for the operator.
import {
  type ConsoleSession,
  type ConsoleSignIn,
  CSRF_HEADER,
  REFRESH_HEADER,
} from '../../../src/contract/console.ts';

export class ConsoleProblem extends Error {
  readonly status: number;
  /** When to try again; null if the service does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * A read without an answer by then is given up, because no refresh starts while a read is pending. Chosen, not
 * measured.
 */
const READ_WITHIN_MS = 20_000;

/** Why something is read: `refresh` is the page's own doing, perhaps with nobody watching. */
export type Reading = 'use' | 'refresh';

/** Access to the service for one signed-in session. */
export interface Api {
  readonly session: ConsoleSession;
  get<Answer>(path: string, reading: Reading, query?: Readonly<Record<string, string>>): Promise<Answer>;
  send<Answer>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer>;
}

/**
 * `onSignedOut` is called when the service says that the session is over, `onOther` when this browser has signed in
 * again elsewhere: what was pressed here was pressed in another session.
 */
export function createApi(
  session: ConsoleSession,
  onSignedOut: () => void,
  onOther: (session: ConsoleSession) => void,
): Api {
  const call = async <Answer>(path: string, init: RequestInit): Promise<Answer> => {
    try {
      return await request<Answer>(path, init);
    } catch (error) {
      if (!(error instanceof ConsoleProblem)) throw error;
      if (error.status === 401) onSignedOut();
      const other = error.status === 403 ? await resumeSession().catch(() => null) : null;
      if (!other || other.csrf_token === session.csrf_token) throw error;
      onOther(other);
      throw new ConsoleProblem(
        403,
        'This browser has signed in again. Look who is signed in, and repeat it.',
      );
    }
  };
  return {
    session,
    get: (path, reading, query = {}) => {
      const text = new URLSearchParams(query).toString();
      const headers: HeadersInit = reading === 'refresh' ? { [REFRESH_HEADER]: '1' } : {};
      return call(text ? `${path}?${text}` : path, { headers, signal: AbortSignal.timeout(READ_WITHIN_MS) });
    },
    send: (method, path, body) =>
      call(path, {
        method,
        headers: {
          [CSRF_HEADER]: session.csrf_token,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
  };
}

/** The session of this browser's cookie, or null if nobody is signed in. */
export async function resumeSession(): Promise<ConsoleSession | null> {
  try {
    return await request<ConsoleSession>('/session', {});
  } catch (error) {
    if (error instanceof ConsoleProblem && error.status === 401) return null;
    throw error;
  }
}

/** What signing in requires here. */
export function readSignIn(): Promise<ConsoleSignIn> {
  return request<ConsoleSignIn>('/sign-in', {});
}

export function signIn(given: { password: string; code?: string }): Promise<ConsoleSession> {
  return request<ConsoleSession>('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  });
}

async function request<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const noAnswer = () => {
    throw new ConsoleProblem(0, 'The service does not answer. Is it running?');
  };
  const response = await fetch(`/console/api${path}`, { ...init, credentials: 'same-origin' }).catch(
    noAnswer,
  );
  const body = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (init.signal?.aborted) noAnswer();
  if (response.ok) return body as Answer;
  const problem = (body ?? {}) as { title?: string; detail?: string; errors?: { detail: string }[] };
  const words = problem.errors?.map((fault) => fault.detail).join(', ') ?? problem.detail ?? problem.title;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ConsoleProblem(
    response.status,
    words ?? `The service answered ${response.status}.`,
    Number.isFinite(retryAfter) ? retryAfter : null,
  );
}
