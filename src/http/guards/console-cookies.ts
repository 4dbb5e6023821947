// The console's cookies: a session's token, and the ticket of a sign-in by OpenID Connect in progress.
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TICKET_SECONDS } from '../../console/openid/ticket.ts';

const SESSION = 'likeness-console';
const TICKET = 'likeness-console-sign-in';

/** One cookie of the console. */
export interface ConsoleCookie {
  /** Its value; empty if there is none. */
  of(request: FastifyRequest): string;
  set(request: FastifyRequest, reply: FastifyReply, value: string): void;
  clear(request: FastifyRequest, reply: FastifyReply): void;
}

export interface ConsoleCookies {
  readonly session: ConsoleCookie;
  readonly ticket: ConsoleCookie;
}

/**
 * Adds the cookies to the scope.
 * @param isSecure whether the browser connected by https: if so, the cookies are bound to this origin and sent by https
 * only
 */
export async function addConsoleCookies(
  scope: FastifyInstance,
  isSecure: (request: FastifyRequest) => boolean,
): Promise<ConsoleCookies> {
  await scope.register(cookie);
  const make = (name: string, options: { sameSite: 'strict' | 'lax'; maxAge?: number }): ConsoleCookie => {
    // `__Host-` binds a cookie to its origin; browsers accept it over TLS only.
    const nameOf = (request: FastifyRequest) => (isSecure(request) ? `__Host-${name}` : name);
    const optionsOf = (request: FastifyRequest) =>
      ({ path: '/', httpOnly: true, secure: isSecure(request), ...options }) as const;
    return {
      of: (request) => request.cookies[nameOf(request)] ?? '',
      set: (request, reply, value) => void reply.setCookie(nameOf(request), value, optionsOf(request)),
      clear: (request, reply) => void reply.clearCookie(nameOf(request), optionsOf(request)),
    };
  };
  return {
    session: make(SESSION, { sameSite: 'strict' }),
    // Sent when the provider sends the browser back from its own site.
    ticket: make(TICKET, { sameSite: 'lax', maxAge: TICKET_SECONDS }),
  };
}
