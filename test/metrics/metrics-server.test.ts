// The operator's port: what it shows, and what happens if the port is in use.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_METRICS_PORT } from '../../src/metrics/default-port.ts';
import {
  type MetricsParts,
  type MetricsServer,
  startMetricsServer,
} from '../../src/metrics/metrics-server.ts';
import { measureQueues, measureReadiness } from '../../src/metrics/work-metrics.ts';
import { freePort } from '../support/free-port.ts';

const OPERATOR_HOST = '127.0.0.1';
const lines: string[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
const parts: MetricsParts = {
  scrape: async () => 'likeness_up 1\n',
  readiness: { check: async () => ({ ready: true, parts: { database: true } }) },
};
const running: MetricsServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  lines.length = 0;
});

async function start(port: number | undefined, change: Partial<MetricsParts> = {}) {
  const config = { OPERATOR_HOST, ...(port !== undefined && { METRICS_PORT: port }) };
  const server = await startMetricsServer(config, { ...parts, ...change }, log);
  if (server) running.push(server);
  return server;
}

/** Occupies the port until it is closed. Another process may already occupy it. */
async function occupy(port: number): Promise<() => void> {
  const server = createServer().listen(port, OPERATOR_HOST);
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => {});
  return () => server.close();
}

test('shows metrics, liveness and readiness, and nothing else', async () => {
  const port = await freePort();
  await start(port, {
    readiness: { check: async () => ({ ready: false, parts: { database: false } }) },
  });
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://${OPERATOR_HOST}:${port}${path}`, { method });
    return [answer.status, answer.headers.get('content-type'), await answer.text()];
  };
  expect(await ask('/metrics')).toEqual([200, Registry.PROMETHEUS_CONTENT_TYPE, 'likeness_up 1\n']);
  expect(await ask('/metrics?a=b')).toEqual(expect.arrayContaining([200]));
  expect(await ask('/livez')).toEqual([200, 'application/json', '{"status":"ok"}']);
  const unready = '{"status":"unavailable","parts":{"database":false}}';
  expect(await ask('/readyz')).toEqual([503, 'application/json', unready]);
  expect(await ask('/v1/challenges')).toEqual([404, null, '']);
  expect(await ask('/metrics', 'POST')).toEqual([405, null, '']);
});

test('answers and logs a failed scrape, and serves the next one', async () => {
  const port = await freePort();
  let fails = true;
  await start(port, {
    scrape: async () => {
      if (fails) throw new Error('no figures');
      return '';
    },
  });
  const status = async () => (await fetch(`http://${OPERATOR_HOST}:${port}/metrics`)).status;
  expect(await status()).toBe(500);
  expect(lines.join('')).toContain('no figures');
  fails = false;
  expect(await status()).toBe(200);
});

test('a configured port that is in use stops the start with a message', async () => {
  const port = await freePort();
  const release = await occupy(port);
  await expect(start(port)).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
    message: `the process cannot listen on a port: OPERATOR_HOST ${OPERATOR_HOST}, METRICS_PORT ${port}: EADDRINUSE`,
  });
  release();
});

test('warns if another process has the default port; 0 opens no port', async () => {
  const release = await occupy(DEFAULT_METRICS_PORT);
  expect(await start(undefined)).toBeNull();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'another process uses the metrics port, so this one has no metrics: set METRICS_PORT',
  ]);
  release();
  expect(await start(0)).toBeNull();
});

test('reads the queues once per scrape, and shows no figure while the database is unavailable', async () => {
  const registry = new Registry();
  let reads = 0;
  let away = false;
  measureQueues(registry, async () => {
    reads += 1;
    if (away) throw new Error('connection refused');
    return [{ queue: 'judge', depth: reads, oldestSeconds: reads + 0.5 }];
  });
  const samples = async () =>
    (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));
  expect(await samples()).toEqual([
    'likeness_queue_age_seconds{queue="judge"} 1.5',
    'likeness_queue_depth{queue="judge"} 1',
  ]);
  expect(await samples()).toContain('likeness_queue_age_seconds{queue="judge"} 2.5');
  away = true;
  expect(await samples()).toEqual([]);
});

test('a scrape checks each part of the readiness, and drops parts that no longer exist', async () => {
  let parts: Record<string, boolean> = { database: true, space: false };
  const registry = new Registry();
  measureReadiness(registry, { check: async () => ({ ready: false, parts }) });
  const shown = async () =>
    (await registry.metrics()).split('\n').filter((line) => /^likeness_ready/.test(line));
  expect(await shown()).toEqual(['likeness_ready{part="database"} 1', 'likeness_ready{part="space"} 0']);
  parts = { running: false };
  expect(await shown()).toEqual(['likeness_ready{part="running"} 0']);
});
