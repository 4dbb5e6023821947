// A process's port for the operator: /metrics, and /livez and /readyz for a supervisor. Metrics show how judgements end
// and why, which an attacker could learn from, so they are never on the public port.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { Registry } from 'prom-client';
import { Fault } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { closeServer } from '../http/listen.ts';
import type { Readiness } from '../http/services.ts';
import { DEFAULT_METRICS_PORT } from './default-port.ts';

/** A scrape has no body and a handful of headers. */
const REQUEST_TIMEOUT_MS = 5_000;

export interface MetricsParts {
  /** Text exposition format of Prometheus. */
  readonly scrape: () => Promise<string>;
  readonly readiness: Readiness;
}

export interface MetricsServer {
  stop(): Promise<void>;
}

/**
 * Listens on OPERATOR_HOST and METRICS_PORT; returns null if the port is 0. If the default port is taken, for example by
 * a second service on the same machine, it only logs a warning, and this process has no metrics.
 * @throws Fault LISTEN_FAILED if a configured port cannot be listened on
 */
export async function startMetricsServer(
  config: { readonly OPERATOR_HOST: string; readonly METRICS_PORT?: number },
  parts: MetricsParts,
  log: Logger,
): Promise<MetricsServer | null> {
  const { OPERATOR_HOST: host, METRICS_PORT: port = DEFAULT_METRICS_PORT } = config;
  if (port === 0) return null;
  const server = createServer((request, response) => void answer(request, response, parts, log));
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (config.METRICS_PORT === undefined && code === 'EADDRINUSE') {
      log.warn(
        { port },
        'another process uses the metrics port, so this one has no metrics: set METRICS_PORT',
      );
      return null;
    }
    throw new Fault('LISTEN_FAILED', `OPERATOR_HOST ${host}, METRICS_PORT ${port}: ${code}`, { cause });
  }
  log.info({ url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}/metrics` }, 'metrics');
  return {
    stop: () => closeServer(server),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { scrape, readiness }: MetricsParts,
  log: Logger,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  try {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    }
    switch (request.url?.split('?', 1)[0]) {
      case '/metrics':
        return send(response, 200, Registry.PROMETHEUS_CONTENT_TYPE, await scrape());
      case '/livez':
        return sendJson(response, 200, { status: 'ok' });
      case '/readyz': {
        const { ready, parts } = await readiness.check();
        return sendJson(response, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', parts });
      }
      default:
        return void response.writeHead(404).end();
    }
  } catch (error) {
    log.error({ err: error }, 'a request to the metrics port failed');
    response.writeHead(500).end();
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType }).end(body);
}
