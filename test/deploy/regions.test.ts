// Four regions on one machine, each a deployment with its own database and network: none reaches another's, none knows
// what another created, and the failure of one does not affect the others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildImage } from './build-image.ts';
import { addressOf, podman, waitForReady } from './containers.ts';
import {
  createAccount,
  createNetwork,
  type Deployment,
  named,
  removeDeployment,
  startLikeness,
  startPostgres,
} from './deployment.ts';

const NAMES = ['postgres', 'likeness'];
const REGIONS = ['au', 'ca', 'uk', 'us'].map((region, at) => ({
  region,
  network: `likeness-test-${region}`,
  settings: {
    REGION: region,
    BASE_URL: `https://${region}.likeness.example.org`,
    MASTER_KEY: Buffer.alloc(32, at + 1).toString('base64'),
  },
}));
type Region = (typeof REGIONS)[number];

const obstacle = buildImage();
if (obstacle) console.warn(`skipped, as containers do not run here: ${obstacle}`);

const keys = new Map<Region, string>();

beforeAll(async () => {
  if (obstacle) return;
  for (const region of REGIONS) {
    await createNetwork(region, NAMES);
    await startPostgres(region);
    await startLikeness(region, 'likeness', 'all');
    keys.set(region, await createAccount(region, 'likeness'));
  }
}, 900_000);
afterAll(async () => {
  if (!obstacle) for (const region of REGIONS) await removeDeployment(region, NAMES);
}, 120_000);

const others = (one: Region): Region[] => REGIONS.filter((each) => each !== one);

async function call(region: Region, path: string, apiKey: string, body?: object): Promise<Response> {
  return fetch(`http://${await addressOf(named(region, 'likeness'))}:8080${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Basic ${apiKey}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

test.skipIf(obstacle)(
  'only the region that created an API key, a challenge and its link knows them',
  async () => {
    for (const region of REGIONS) {
      const created = await call(region, '/v1/create-challenge', keys.get(region)!, { liveness_only: true });
      expect(created.status).toBe(201);
      const { challenge_id: id, challenge_url: link } = await created.json();
      expect(link).toMatch(new RegExp(`^${region.settings.BASE_URL}/`));
      const path = new URL(link).pathname;
      expect((await call(region, `/v1/challenges/${id}`, keys.get(region)!)).status).toBe(200);
      expect((await call(region, path, '')).status).toBe(200);
      for (const other of others(region)) {
        expect((await call(other, `/v1/challenges/${id}`, keys.get(region)!)).status).toBe(401);
        expect((await call(other, `/v1/challenges/${id}`, keys.get(other)!)).status).toBe(404);
        expect((await call(other, path, '')).status).toBe(404);
      }
    }
  },
  120_000,
);

/** Connects from within a deployment; returns `connected`, or why it failed. */
const connect = (from: Deployment, host: string): Promise<string> =>
  podman(
    'exec',
    named(from, 'likeness'),
    'node',
    '-e',
    `const socket = require('node:net').connect({ host: '${host}', port: 5432, timeout: 3000 });
     const end = (text) => { console.log(text); process.exit(); };
     socket.on('connect', () => end('connected'));
     socket.on('timeout', () => end('timeout'));
     socket.on('error', (error) => end(error.code));`,
  );

test.skipIf(obstacle)(
  'each region reaches its own database, and no other, neither by name nor by address',
  async () => {
    for (const region of REGIONS) {
      expect(await connect(region, 'postgres')).toBe('connected');
      expect(await connect(region, await addressOf(named(region, 'postgres')))).toBe('connected');
      for (const other of others(region)) {
        const address = await addressOf(named(other, 'postgres'));
        expect(await connect(region, address)).not.toBe('connected');
        expect(await connect(region, named(other, 'postgres'))).not.toBe('connected');
      }
    }
  },
  300_000,
);

test.skipIf(obstacle)(
  'if the database of one region is down, the others continue',
  async () => {
    const [lost, ...rest] = REGIONS as [Region, ...Region[]];
    await podman('kill', '--signal', 'KILL', named(lost, 'postgres'));
    await expect.poll(async () => (await call(lost, '/readyz', '')).status, { timeout: 30_000 }).toBe(503);
    for (const region of rest) {
      const created = await call(region, '/v1/create-challenge', keys.get(region)!, { liveness_only: true });
      expect(created.status).toBe(201);
    }
    await podman('start', named(lost, 'postgres'));
    await waitForReady(named(lost, 'likeness'), ':8080/readyz', 60_000);
    const created = await call(lost, '/v1/create-challenge', keys.get(lost)!, { liveness_only: true });
    expect(created.status).toBe(201);
  },
  180_000,
);
