// Who calls the API: HTTP Basic with an API key, checked before a byte of the body is read.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../challenge/services.ts';
import { readAuthorization } from '../keys/api-key.ts';
import { HttpProblem } from './problem-reply.ts';
import type { HttpServices } from './services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set in the authenticated scope only; read it with `callerOf`. */
    caller: Caller | null;
  }
}

/** Lets only callers with a valid key into this scope; all others get 401. */
export function requireApiKey(scope: FastifyInstance, accounts: HttpServices['accounts']): void {
  scope.addHook('onRequest', async (request, reply) => {
    const key = readAuthorization(request.headers.authorization);
    const principal = key ? await accounts.authenticate(key) : null;
    if (principal) {
      const { accountId, keyId, sandbox } = principal;
      request.caller = { accountId, actor: keyId, sandbox };
      return;
    }
    reply.header('www-authenticate', 'Basic realm="likeness", charset="UTF-8"');
    const detail = request.headers.authorization
      ? 'The API key is not valid: unknown, expired or revoked.'
      : 'Send `Authorization: Basic API_KEY`.';
    throw new HttpProblem('unauthorized', { detail });
  });
}

/** The authenticated caller of a request inside the authenticated scope. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('route outside the authenticated scope');
  return request.caller;
}
