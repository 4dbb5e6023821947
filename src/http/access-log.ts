// The access log: one line per answered request, with ids and the route pattern only. Paths stay out (a capture link
// is a secret), addresses and agents too.
import type { FastifyInstance } from 'fastify';

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
      ...(request.caller ? { account: request.caller.accountId, api_key: request.caller.actor } : {}),
    };
    const quiet = request.routeOptions.config?.quiet === true;
    if (quiet) request.log.debug(line, 'request');
    else request.log.info(line, 'request');
    done();
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers of this route are logged at debug level. */
    quiet?: boolean;
  }
}
