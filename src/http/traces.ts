// A span for every answered request, with the route pattern and ids. Paths are left out because a capture link is a
// secret.
import type { FastifyInstance } from 'fastify';
import type { Trace } from '../base/trace.ts';
import { idsOf } from './access-log.ts';

export function traceRequests(app: FastifyInstance, trace: Trace): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    if (request.routeOptions.config?.quiet !== true) {
      const ids = Object.entries(idsOf(request, reply)).map(([name, id]) => [`likeness.${name}_id`, id]);
      trace({
        name: `${request.method} ${route}`,
        kind: 'server',
        startedAt: new Date(Date.now() - reply.elapsedTime),
        durationMs: reply.elapsedTime,
        failed: reply.statusCode >= 500,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': reply.statusCode,
          'likeness.request_id': request.id,
          ...(request.caller && { 'likeness.account_id': request.caller.accountId }),
          ...Object.fromEntries(ids),
        },
        traceparent: request.headers.traceparent as string | undefined,
      });
    }
    done();
  });
}
