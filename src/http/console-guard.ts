// The door of the console: a session cookie, and on every changing call the session's second token.
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isCsrfToken, type Sessions } from '../console/sessions.ts';
import { CSRF_HEADER } from '../contract/console.ts';
import { HttpProblem } from './problem-reply.ts';

/** `__Host-` binds the cookie to this origin; browsers take it over TLS only. */
const cookieName = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-likeness-console' : 'likeness-console';

export interface ConsoleGuard {
  /** The session's token, wherever the cookie is; empty without. */
  tokenOf(request: FastifyRequest): string;
  setCookie(reply: FastifyReply, token: string): void;
  clearCookie(reply: FastifyReply): void;
}

/** Adds cookies to the scope. */
export async function addConsoleGuard(scope: FastifyInstance, baseUrl: string): Promise<ConsoleGuard> {
  await scope.register(cookie);
  const name = cookieName(baseUrl);
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: baseUrl.startsWith('https:'),
  } as const;
  return {
    tokenOf: (request) => request.cookies[name] ?? '',
    setCookie: (reply, token) => void reply.setCookie(name, token, options),
    clearCookie: (reply) => void reply.clearCookie(name, options),
  };
}

/** Lets only an open session into the scope, and only our own page change anything. */
export function requireOperator(scope: FastifyInstance, sessions: Sessions, guard: ConsoleGuard): void {
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const token = guard.tokenOf(request);
    if (!token || !(await sessions.isOpen(token))) {
      throw new HttpProblem('unauthorized', { detail: 'Sign in to the console.' });
    }
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const given = request.headers[CSRF_HEADER];
    if (typeof given !== 'string' || !isCsrfToken(given, token)) {
      throw new HttpProblem('forbidden', { detail: 'The call did not come from the console.' });
    }
  });
}
