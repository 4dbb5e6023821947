// The files in deploy/ against what they refer to: metrics and their labels, runbooks, environment variables, regions.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fastify } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { WORKER_V8_OPTIONS } from '../../src/composition/worker-supervisor.ts';
import { Environment } from '../../src/config/config.ts';
import { LIMITS } from '../../src/config/limits.ts';
import { measureRequests } from '../../src/http/guards/metrics.ts';
import { createWorkMetrics, measureQueues, measureReadiness } from '../../src/metrics/work-metrics.ts';

const root = resolve(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const alerts = read('deploy/monitoring/alerts.yaml');
const dashboard = read('deploy/monitoring/grafana-dashboard.json');

/** Everything that /metrics can show: name → labels. */
async function shownMetrics(): Promise<Map<string, string[]>> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'likeness_' });
  collectDefaultMetrics({ register: registry, prefix: 'likeness_worker_' });
  measureQueues(registry, async () => []);
  measureReadiness(registry, { check: async () => ({ ready: true, parts: {} }) });
  measureRequests(fastify(), registry);
  createWorkMetrics(registry);
  const shown = new Map<string, string[]>();
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    const labels = (registry.getSingleMetric(name) as unknown as { labelNames?: string[] }).labelNames ?? [];
    shown.set(name, labels);
    if (type.toString() !== 'histogram') continue;
    for (const part of ['bucket', 'sum', 'count']) shown.set(`${name}_${part}`, [...labels, 'le']);
  }
  return shown;
}

test.each([
  ['alerts', alerts],
  ['dashboard', dashboard.replaceAll('\\"', '"')],
])('the %s use existing metrics and labels', async (_name, text) => {
  const shown = await shownMetrics();
  const asked = [...text.matchAll(/\b(likeness_[a-z_]+)(?:\{([^}]*)\})?/g)];
  expect(asked.length).toBeGreaterThan(5);
  for (const [, name, selector = ''] of asked) {
    expect([...shown.keys()]).toContain(name);
    for (const [, label] of selector.matchAll(/(\w+)\s*[=!]/g)) expect(shown.get(name!)).toContain(label);
  }
});

test('the deploy files set existing variables, and every region has its own of each', () => {
  const files = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.yaml$|\.tpl$|Dockerfile$/.test(file))
    .map((file) => read(join('deploy', file)));
  const names = files.flatMap((text) => [
    ...[...text.matchAll(/^ +- ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!),
    ...[...text.matchAll(/name: ([A-Z][A-Z0-9_]+), value/g)].map(([, name]) => name!),
    ...[...text.matchAll(/^ {2,6}([A-Z][A-Z0-9_]+): [$'h]/gm)].map(([, name]) => name!),
    ...[...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) => line!.match(/[A-Z_]+(?==)/g)!),
  ]);
  expect(new Set(names).size).toBeGreaterThan(10);
  const known = [...Object.keys(Environment.properties), 'NODE_ENV', 'ORT_DISABLE_TELEMETRY'];
  expect(names.filter((name) => !known.includes(name) && !name.startsWith('AWS_'))).toEqual([]);

  const regions = ['au', 'ca', 'uk', 'us'].map((region) => read(`deploy/helm/regions/${region}.yaml`));
  for (const own of [/^region: (.*)/m, /^host: (.*)/m, /^assetStore: (.*)/m, /^s3Endpoint: (.*)/m]) {
    expect(new Set(regions.map((text) => own.exec(text)![1])).size, String(own)).toBe(4);
  }
});

test.each([
  'helm/likeness/templates/worker.yaml',
  'compose/scaled.yaml',
])('a worker of %s starts with the options of a supervised one', (file) => {
  const [, options] = /\[tini, --, node, (.*), dist\/cli\/program\.js\]/.exec(read(`deploy/${file}`))!;
  expect(options!.split(', ')).toEqual(WORKER_V8_OPTIONS);
  expect(read('deploy/Dockerfile')).toContain('ENTRYPOINT ["tini", "--", "node", "dist/cli/program.js"]');
});

test.each(['api', 'worker'])('%s in a cluster has metrics at their own port, for Prometheus only', (role) => {
  const pod = read(`deploy/helm/likeness/templates/${role}.yaml`);
  const everyPod = read('deploy/helm/likeness/templates/_helpers.tpl');
  const [, port] = /METRICS_PORT, value: '(\d+)'/.exec(everyPod)!;
  expect(everyPod).toContain('{ name: OPERATOR_HOST, value: 0.0.0.0 }');
  expect(pod).toContain(`prometheus.io/port: '${port}'`);
  expect(pod).toContain(`{ name: metrics, containerPort: ${port} }`);
  expect(pod).not.toContain('targetPort: metrics');
  expect(read('deploy/helm/likeness/templates/network.yaml')).toMatch(
    /ports: \[\{ port: metrics \}\]\n +from: .*monitoringNamespace/,
  );
});

test("the chart's processes fit into PostgreSQL's connections, as counted in the documentation", () => {
  const values = read('deploy/helm/likeness/values.yaml');
  const number = (section: string, name: string) =>
    Number(new RegExp(`^${section}:\\n(?:  .*\\n)*?  ${name}: ([0-9]+)$`, 'm').exec(values)![1]);
  // What a process opens in addition to its pool, as counted by test/slow/composition/drain.test.ts.
  const most = (role: 'api' | 'worker', own: number) =>
    (LIMITS.databaseConnections[role] + own) * (number(role, 'maxReplicas') + 1);
  const { api, worker } = LIMITS.databaseConnections;
  expect(read('deploy/helm/likeness/templates/_helpers.tpl')).toContain(
    `add (mul ${api} $apis) (mul ${worker} $workers)`,
  );
  const needed = most('api', 4) + most('worker', 7) + 4 + number('database', 'reserved');
  expect(needed).toBeLessThanOrEqual(number('database', 'maxConnections'));
  expect(read('docs/operations/kubernetes.md')).toContain(
    `| **at most** | | | | **${needed}** of ${number('database', 'maxConnections')} |`,
  );
});

test("the autoscaler uses the metric that the adapter makes of the API's own", async () => {
  const adapter = read('deploy/monitoring/prometheus-adapter.yaml');
  const [, made] = /name: \{ as: (\w+) \}/.exec(adapter)!;
  expect(read('deploy/helm/likeness/templates/worker.yaml')).toContain(`metric: { name: ${made} }`);
  const [, series] = /seriesQuery: '(\w+)/.exec(adapter)!;
  expect((await shownMetrics()).get(series!)).toEqual(['queue']);
  // Every API reports the queue of the whole region: a sum would count it once for each API.
  expect(adapter).toMatch(/metricsQuery: 'max\(/);
});

test('compose files shut down gracefully, and no proxy and no published port exposes the metrics', () => {
  for (const file of ['single', 'scaled']) {
    const compose = read(`deploy/compose/${file}.yaml`);
    expect(compose).toMatch(/METRICS_PORT: '9464'/);
    expect(compose).toMatch(/SHUTDOWN_DELAY_SECONDS: '[1-9]/);
    expect(compose).toMatch(/stop_grace_period: 90s/);
    const published = [...compose.matchAll(/^ +ports: (.*)$/gm)].map(([, ports]) => ports);
    // The console's port is published to this machine only.
    expect(published.filter((ports) => ports !== "['127.0.0.1:8081:8081']")).toEqual([
      "['80:80', '443:443']",
    ]);
  }
  expect(read('deploy/compose/single.yaml')).toContain('--to likeness:8080\n');
  expect(read('deploy/compose/scaled.yaml')).toContain("'./Caddyfile:/etc/caddy/Caddyfile:ro'");
  expect(read('deploy/compose/Caddyfile')).toContain('reverse_proxy api-1:8080 api-2:8080 {\n');
  expect(read('deploy/monitoring/scrape-compose.yaml')).toContain('port: 9464');
  // A name that is not a service's is no target, and an alert never sees it as down.
  const [, scraped] = /names: \[(.*?)\]/.exec(read('deploy/monitoring/scrape-compose.yaml'))!;
  const services = [...read('deploy/compose/scaled.yaml').matchAll(/^ {2}([a-z0-9-]+):(?= |\n {4})/gm)];
  const ofLikeness = services.map(([, name]) => name!).filter((name) => /^(api|worker)/.test(name));
  expect(scraped!.split(', ')).toEqual(ofLikeness);
  const job = /up\{job="(\w+)"\}/.exec(alerts)![1];
  for (const file of ['compose', 'kubernetes'])
    expect(read(`deploy/monitoring/scrape-${file}.yaml`)).toContain(`job_name: ${job}`);
});

test('every panel has a query, every alert a runbook with that heading', () => {
  const { panels } = JSON.parse(dashboard);
  for (const panel of panels) {
    if (panel.type !== 'row') expect(panel.targets?.[0]?.expr, panel.title).toBeTruthy();
  }
  const headings = [...read('docs/operations/incidents.md').matchAll(/^## (.*)$/gm)].map(([, title]) =>
    title!.toLowerCase().replaceAll(' ', '-'),
  );
  const runbooks = [...alerts.matchAll(/runbook: 'docs\/operations\/incidents\.md#([a-z-]+)'/g)];
  expect(runbooks.length).toBe([...alerts.matchAll(/- alert:/g)].length);
  for (const [, anchor] of runbooks) expect(headings).toContain(anchor);
});

test.each([
  'Dockerfile',
  'compose/single.yaml',
  'compose/scaled.yaml',
  'helm/likeness/templates/_helpers.tpl',
])("deploy/%s switches the ONNX runtime's telemetry off", (file) => {
  expect(read(join('deploy', file))).toMatch(/ORT_DISABLE_TELEMETRY(=1|: '1'|, value: '1')/);
});
