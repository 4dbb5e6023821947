// How a worker's metrics reach whoever scrapes: over the channel to its parent (ROLE=all), or at METRICS_PORT of its own
// (ROLE=worker).
import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';

/** What a parent asks and a worker answers over the channel. */
export const METRICS_REQUEST = 'metrics';
export interface MetricsAnswer {
  readonly metrics: object;
}

/** Answers the parent's questions until the channel closes. Nothing to do where there is no parent. */
export function answerMetrics(registry: Registry): void {
  if (!process.send) return;
  process.on('message', async (message) => {
    if (message !== METRICS_REQUEST) return;
    const answer: MetricsAnswer = { metrics: await registry.getMetricsAsJSON() };
    // The parent may have ended meanwhile.
    if (process.connected) process.send?.(answer, () => {});
  });
}

/** Serves /metrics and /livez on a port of this worker's own. */
export function serveMetrics(registry: Registry, host: string, port: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url === '/livez') return void response.end('{"status":"ok"}');
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    response.setHeader('content-type', registry.contentType);
    response.end(await registry.metrics());
  });
  return new Promise((done, refuse) => {
    server.once('error', refuse);
    server.listen(port, host, () => done(server));
  });
}
