// The chart as Helm renders it, against Kubernetes' schemas and against its own promises.
import { beforeAll, expect, test } from 'vitest';
import { Environment } from '../../src/config/config.ts';
import { installTools, type Manifest } from './tools.ts';

const CHART = 'deploy/helm/likeness';
const REGIONS = ['au', 'ca', 'uk', 'us'];
let tools: ReturnType<typeof installTools>;

beforeAll(() => {
  tools = installTools();
});

const render = (region: string, ...settings: string[]): Manifest[] =>
  tools.readYaml(
    tools.helm(
      'template',
      'likeness',
      CHART,
      '--namespace',
      `likeness-${region}`,
      '-f',
      `deploy/helm/regions/${region}.yaml`,
      ...settings.flatMap((each) => ['--set', each]),
    ),
  );
const find = (manifests: Manifest[], kind: string, name: string): Manifest =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name);
const container = (manifest: Manifest) => manifest.spec.template.spec.containers[0];

test.each(REGIONS)("%s: passes Helm's lint, and every object matches its schema", async (region) => {
  tools.helm('lint', '--strict', CHART, '-f', `deploy/helm/regions/${region}.yaml`);
  const manifests = render(region);
  expect(manifests.length).toBeGreaterThan(10);
  for (const manifest of manifests) await tools.validate(manifest);
});

test('detects a deliberate fault', async () => {
  const deployment = find(render('au'), 'Deployment', 'likeness-api');
  deployment.spec.strategy.rollingUpdate.maxUnavailable = [1];
  await expect(tools.validate(deployment)).rejects.toThrow('maxUnavailable');
});

test('no region names resources of another', () => {
  const texts = REGIONS.map((region) => JSON.stringify(render(region)));
  for (const [index, region] of REGIONS.entries()) {
    const own = [
      `https://${region}.likeness.example.org`,
      `s3://likeness-${region}/`,
      `s3.${region}.example`,
    ];
    for (const name of own) {
      expect(texts.map((text) => text.includes(name))).toEqual(texts.map((_, at) => at === index));
    }
  }
});

test('processes get existing variables, each once, after the migration', () => {
  const manifests = render('au');
  const job = find(manifests, 'Job', 'likeness-migrate');
  expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  expect(container(job).args).toEqual(['migrate']);
  for (const role of ['api', 'worker']) {
    const { env } = container(find(manifests, 'Deployment', `likeness-${role}`));
    const names: string[] = env.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(names.length);
    const known = [...Object.keys(Environment.properties), 'ORT_DISABLE_TELEMETRY'];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    expect(env).toContainEqual({ name: 'ROLE', value: role });
  }
});

test('a pod has more time to end than it serves after SIGTERM, and both roles are probed and spread', () => {
  const manifests = render('au', 'api.shutdownDelaySeconds=30');
  const api = find(manifests, 'Deployment', 'likeness-api');
  expect(container(api).env).toContainEqual({ name: 'SHUTDOWN_DELAY_SECONDS', value: '30' });
  expect(api.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(30 + 60);
  for (const role of ['api', 'worker']) {
    const { spec } = find(manifests, 'Deployment', `likeness-${role}`);
    const ports = container({ spec }).ports.map(({ name }: { name: string }) => name);
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect(ports).toContain(container({ spec })[probe].httpGet.port);
    const labels = spec.template.metadata.labels;
    for (const each of spec.template.spec.topologySpreadConstraints)
      expect(labels).toMatchObject(each.labelSelector.matchLabels);
    expect(spec.template.spec.topologySpreadConstraints).toHaveLength(2);
    expect(labels).toMatchObject(spec.selector.matchLabels);
    const budget = find(manifests, 'PodDisruptionBudget', `likeness-${role}`);
    expect(labels).toMatchObject(budget.spec.selector.matchLabels);
    expect(find(manifests, 'HorizontalPodAutoscaler', `likeness-${role}`).spec.scaleTargetRef.name).toBe(
      `likeness-${role}`,
    );
  }
});

test('refuses more connections than the server allows, and counts those of a pooler where there is one', () => {
  expect(() => render('au', 'worker.maxReplicas=5')).toThrow(/need 121 connections of the 100/);
  expect(render('au', 'worker.maxReplicas=5', 'database.maxConnections=121').length).toBeGreaterThan(10);
  expect(() => render('au', 'worker.maxReplicas=20', 'database.poolerConnections=10')).toThrow(
    /need 180 connections of the 100/,
  );
  expect(render('au', 'worker.maxReplicas=8', 'database.poolerConnections=10').length).toBeGreaterThan(10);
});

test('limits egress to name service, database, store, and public addresses for webhooks', () => {
  const manifests = render('au');
  const { spec } = find(manifests, 'NetworkPolicy', 'likeness-outbound');
  const [v4] = spec.egress[0].to;
  for (const inner of ['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'])
    expect(v4.ipBlock.except).toContain(inner);
  expect(find(manifests, 'NetworkPolicy', 'likeness').spec.policyTypes).toEqual(['Ingress', 'Egress']);
});
