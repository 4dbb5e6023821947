// The access log: one line per answered request, with ids and the route pattern only. Paths stay out (a capture link
// is a secret), addresses and agents too.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Serializers for fastify's own lines, so that no path or address slips through them. */
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

/** Ids that lead from a line to its challenge or delivery; a capture link is none, its token is a secret. */
export function idsOf(request: FastifyRequest, reply: FastifyReply): Record<string, string> {
  const params = (request.params ?? {}) as Record<string, unknown>;
  const created = /^\/v1\/challenges\/(\w+)$/.exec(String(reply.getHeader('location') ?? ''))?.[1];
  const ids = {
    challenge: params.challenge_id ?? created,
    delivery: params.delivery_id,
    capture: params.capture_id,
  };
  // What was refused need not be an id.
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
