// Metrics of the HTTP surface: rate, errors and duration per route pattern. Labels never hold an id, a token or an
// address.
import type { FastifyInstance } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Route label of requests that match no route. */
const UNMATCHED = 'unmatched';

/** Records every request of the server in the registry, which several servers may share. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const { requests, durations } = metricsOf(registry);
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? UNMATCHED,
      status: String(reply.statusCode),
    };
    requests.inc(labels);
    durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}

/** The registry's metrics, created by the first server that uses it. */
function metricsOf(registry: Registry) {
  const labelNames = ['method', 'route', 'status'] as const;
  const registers = [registry];
  const once = <M>(name: string, make: (name: string) => M): M =>
    (registry.getSingleMetric(name) as M | undefined) ?? make(name);
  const requests = once('likeness_http_requests_total', (name) => {
    const help = 'Answered requests by method, route pattern and status';
    return new Counter({ name, help, labelNames, registers });
  });
  const durations = once('likeness_http_request_duration_seconds', (name) => {
    const help = 'Time from the request to the end of its answer';
    const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
    return new Histogram({ name, help, labelNames, buckets, registers });
  });
  return { requests, durations };
}
