// The guarded agent as a `fetch`, for libraries that accept one from their caller.
import { CallError } from './call-error.ts';
import type { GuardedAgent, GuardedCall } from './guarded-agent.ts';

/** Options common to every call of one guarded fetch. */
export type GuardedFetchOptions = Pick<GuardedCall, 'timeoutMs' | 'maxBodyBytes' | 'requireHttps'> & {
  readonly userAgent: string;
};

/** The part of `fetch` that such libraries use. @throws CallError if there is no answer */
export type GuardedFetch = (
  url: string,
  init: {
    readonly method: GuardedCall['method'];
    readonly headers: Readonly<Record<string, string>>;
    /** Sent as the text that it converts to. */
    readonly body?: URLSearchParams | string;
  },
) => Promise<Response>;

/** Statuses with which a `Response` accepts no body (WHATWG Fetch, "null body status"). */
const NULL_BODY_STATUSES: readonly number[] = [204, 205, 304];

/** Makes the fetch. It follows no redirects; a body longer than `maxBodyBytes` is truncated. */
export function createGuardedFetch(agent: GuardedAgent, options: GuardedFetchOptions): GuardedFetch {
  const { userAgent, ...limits } = options;
  return async (url, { method, headers, body }) => {
    const result = await agent.call({
      ...limits,
      url,
      method,
      headers: { ...headers, 'user-agent': userAgent },
      ...(body === undefined ? {} : { body: String(body) }),
    });
    if (result.kind === 'failed') throw new CallError(result.code);
    const answer = NULL_BODY_STATUSES.includes(result.status) ? null : new Uint8Array(result.body);
    try {
      return new Response(answer, { status: result.status, headers: result.headers });
    } catch {
      // For example a status above 599: HTTP's grammar allows it, `Response` does not.
      throw new CallError('malformed_response');
    }
  };
}
