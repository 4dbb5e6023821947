// Guards the console: a session cookie, and the session's CSRF token on every call that changes something.
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isCsrfToken, type Sessions } from '../../console/sessions.ts';
import { CSRF_HEADER, REFRESH_HEADER } from '../../contract/console.ts';
import { HttpProblem } from '../problems/problem-reply.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the session, set only in the scope that requires one; read it with `operatorOf`. */
    operator: string | null;
  }
}

const COOKIE = 'likeness-console';

/** The console's cookie. */
export interface ConsoleCookies {
  /** The session's token; empty if there is none. */
  sessionOf(request: FastifyRequest): string;
  setSession(request: FastifyRequest, reply: FastifyReply, token: string): void;
  clearSession(request: FastifyRequest, reply: FastifyReply): void;
}

/**
 * Adds the cookie to the scope.
 * @param isSecure whether the browser connected by https: if so, the cookie is bound to this origin and sent by https
 * only
 */
export async function addConsoleCookies(
  scope: FastifyInstance,
  isSecure: (request: FastifyRequest) => boolean,
): Promise<ConsoleCookies> {
  await scope.register(cookie);
  // `__Host-` binds a cookie to its origin; browsers accept it over TLS only.
  const nameOf = (request: FastifyRequest) => (isSecure(request) ? `__Host-${COOKIE}` : COOKIE);
  const optionsOf = (request: FastifyRequest) =>
    ({ path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure(request) }) as const;
  return {
    sessionOf: (request) => request.cookies[nameOf(request)] ?? '',
    setSession: (request, reply, token) => void reply.setCookie(nameOf(request), token, optionsOf(request)),
    clearSession: (request, reply) => void reply.clearCookie(nameOf(request), optionsOf(request)),
  };
}

/** Lets only open sessions into the scope, and lets only our own page change anything. */
export function requireOperator(scope: FastifyInstance, sessions: Sessions, cookies: ConsoleCookies): void {
  scope.decorateRequest('operator', null);
  scope.addHook('onRequest', async (request) => {
    const token = cookies.sessionOf(request);
    const isActivity = request.headers[REFRESH_HEADER] === undefined;
    request.operator = token ? await sessions.find(token, isActivity) : null;
    if (request.operator === null)
      throw new HttpProblem('unauthorized', { detail: 'Sign in to the console.' });
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const given = request.headers[CSRF_HEADER];
    if (typeof given !== 'string' || !isCsrfToken(given, token)) {
      throw new HttpProblem('forbidden', { detail: 'The call did not come from the console.' });
    }
  });
}

/** The session id of a request inside the scope that requires one. */
export function operatorOf(request: FastifyRequest): string {
  if (!request.operator) throw new Error('route outside the console’s scope');
  return request.operator;
}
