// Guards the console: a session, the session's CSRF token on every call that changes something, and the role that each
// route names.
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Operator } from '../../console/people.ts';
import { isCsrfToken, type Sessions } from '../../console/sessions.ts';
import { CONSOLE_ROLES, type ConsoleRole, CSRF_HEADER, REFRESH_HEADER } from '../../contract/console.ts';
import { HttpProblem } from '../problems/problem-reply.ts';
import type { ConsoleCookies } from './console-cookies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set only in the scope that requires a session; read it with `operatorOf` or `personOf`. */
    operator: Operator | null;
  }
  interface FastifyContextConfig {
    /** The lowest role that may call a route of the console. */
    consoleRole?: ConsoleRole;
  }
}

/** Options of a route of the console that this role, and each higher one, may call. It is in no public document. */
export const openTo = <const S extends Record<string, TSchema> = Record<never, TSchema>>(
  consoleRole: ConsoleRole,
  schema: S = {} as S,
) => ({ config: { consoleRole } satisfies FastifyContextConfig, schema: { hide: true, ...schema } });

/** Lets only open sessions into the scope, only our own page change anything, and each role call only its routes. */
export function requireOperator(
  scope: FastifyInstance,
  sessions: Pick<Sessions, 'find'>,
  { session }: Pick<ConsoleCookies, 'session'>,
): void {
  scope.decorateRequest('operator', null);
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.consoleRole) throw new Error(`${method} ${url} names no role`);
  });
  scope.addHook('onRequest', async (request) => {
    const token = session.of(request);
    const isActivity = request.headers[REFRESH_HEADER] === undefined;
    request.operator = token ? await sessions.find(token, isActivity) : null;
    if (request.operator === null)
      throw new HttpProblem('unauthorized', { detail: 'Sign in to the console.' });
    requireRole(request.operator.role, request.routeOptions.config.consoleRole!);
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const given = request.headers[CSRF_HEADER];
    if (typeof given !== 'string' || !isCsrfToken(given, token)) {
      throw new HttpProblem('forbidden', { detail: 'The call did not come from the console.' });
    }
  });
}

function requireRole(role: ConsoleRole, needed: ConsoleRole): void {
  if (CONSOLE_ROLES.indexOf(role) >= CONSOLE_ROLES.indexOf(needed)) return;
  throw new HttpProblem('forbidden', { detail: `This needs the role ${needed}. Yours is ${role}.` });
}

/** Who has the session of a request inside the scope that requires one. */
export function personOf(request: FastifyRequest): Operator {
  if (!request.operator) throw new Error('route outside the console’s scope');
  return request.operator;
}

/** The session's id, for the audit log. */
export const operatorOf = (request: FastifyRequest): string => personOf(request).id;
