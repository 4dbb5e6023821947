// The access log: one line per answered request, with ids and the route pattern only. Paths are left out because a
// capture link is a secret. So are client addresses and user agents.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Serializers for fastify's own log lines, which would otherwise contain paths and addresses. */
export const LOG_SERIALIZERS = {
  req: (request: { method?: string; routeOptions?: { url?: string } }) => ({
    method: request.method,
    route: request.routeOptions?.url ?? null,
  }),
  res: (reply: { statusCode?: number }) => ({ status: reply.statusCode }),
};

/** Logs every answer: debug for probes and static files, info for the rest. */
export function logAccess(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      ...idsOf(request, reply),
      ...(request.caller ? { account: request.caller.accountId, api_key: request.caller.actor } : {}),
    };
    const quiet = request.routeOptions.config?.quiet === true;
    if (quiet) request.log.debug(line, 'request');
    else request.log.info(line, 'request');
    done();
  });
}

/** Ids that link a log line to its challenge or delivery. A capture link's token is left out: it is a secret. */
function idsOf(request: FastifyRequest, reply: FastifyReply): Record<string, string> {
  const params = (request.params ?? {}) as Record<string, unknown>;
  const created = /^\/v1\/challenges\/(\w+)$/.exec(String(reply.getHeader('location') ?? ''))?.[1];
  const ids = {
    challenge: params.challenge_id ?? created,
    delivery: params.delivery_id,
    capture: params.capture_id,
  };
  // The parameters of a refused request need not be ids.
  if (reply.statusCode >= 400) return {};
  return Object.fromEntries(
    Object.entries(ids).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers of this route are logged at debug level. */
    quiet?: boolean;
  }
}
