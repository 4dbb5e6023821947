// The topology of deploy/compose/scaled.yaml in containers: two APIs and a worker on one PostgreSQL, behind the Caddy
// of that file.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEBIAN } from './base-images.ts';
import { buildImage } from './build-image.ts';
import { addressOf, HARDENED, killAndStart, lastLines, podman, waitForReady } from './containers.ts';
import {
  createAccount,
  createNetwork,
  named,
  removeDeployment,
  startLikeness,
  startPostgres,
  untilReady,
} from './deployment.ts';
import { ROOT } from './tools.ts';

/** How often each container is killed; `KILLS=3` for a quick run. */
const KILLS = Number(process.env.KILLS ?? 50);
const SCALED = {
  network: 'likeness-test',
  settings: {
    BASE_URL: 'https://likeness.example.org',
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SHUTDOWN_DELAY_SECONDS: '5',
    // All clients of the test have one address.
  },
};
const NAMES = ['postgres', 'api-1', 'api-2', 'worker', 'caddy'];
const CADDY = named(SCALED, 'caddy');
/** Longer than the interval of Caddy's health checks and the answer on a busy machine. */
const CADDY_SEES_MS = 4_000;
const BODY = JSON.stringify({ liveness_only: true });

const obstacle = buildImage();
if (obstacle) console.warn(`skipped, as containers do not run here: ${obstacle}`);

let apiKey: string;

beforeAll(async () => {
  if (obstacle) return;
  await createNetwork(SCALED, NAMES);
  await startPostgres(SCALED);
  await startLikeness(SCALED, 'api-1', 'api');
  await startLikeness(SCALED, 'api-2', 'api');
  await startLikeness(SCALED, 'worker', 'worker');
  apiKey = await createAccount(SCALED, 'api-1');
  const caddyfile = `${join(ROOT, 'deploy/compose/Caddyfile')}:/Caddyfile:ro`;
  await podman(
    'run',
    '--detach',
    '--name',
    CADDY,
    '--network',
    SCALED.network,
    ...HARDENED,
    '--env',
    'DOMAIN=:8000',
    '--env',
    'XDG_DATA_HOME=/tmp',
    '--env',
    'XDG_CONFIG_HOME=/tmp',
    '-v',
    '/usr/bin/caddy:/usr/bin/caddy:ro',
    '-v',
    caddyfile,
    DEBIAN,
    'caddy',
    'run',
    '--config',
    '/Caddyfile',
    '--adapter',
    'caddyfile',
  );
  await waitForReady(CADDY, ':8000/readyz', 30_000);
}, 600_000);
afterAll(async () => {
  if (!obstacle) await removeDeployment(SCALED, NAMES);
}, 120_000);

test.skipIf(obstacle)(
  'each API is replaced under load without a failed request',
  async () => {
    const load = startLoad(await addressOf(CADDY));
    try {
      for (const name of ['api-1', 'api-2']) {
        await podman('stop', '--time', '60', named(SCALED, name));
        expect(await podman('inspect', named(SCALED, name), '--format', '{{.State.ExitCode}}')).toBe('0');
        await podman('rm', named(SCALED, name));
        await startLikeness(SCALED, name, 'api');
        await delay(CADDY_SEES_MS);
      }
    } finally {
      await load.stop();
    }
    console.log(
      `rolling restart: ${load.answered()} created, ${load.saturated()} asked to come again, ${load.failures.length} failed`,
    );
    if (load.failures.length > 0) console.log(lastLines(CADDY, 20));
    expect(load.failures).toEqual([]);
    expect(load.answered()).toBeGreaterThan(100);
  },
  600_000,
);

/** Even rounds kill each of these in turn; odd rounds kill all at once, as in a power failure. */
const KILLED = ['api-1', 'api-2', 'worker', 'postgres', 'caddy'];
const LIKENESS = { 'api-1': 'api', 'api-2': 'api', worker: 'worker' } as const;

test.skipIf(obstacle)(
  `each container is killed ${KILLS} times, alone and with all others: it recovers, and nothing that was answered is lost`,
  async () => {
    const made: string[] = [];
    const times = new Map<string, number[]>();
    for (let round = 0; round < KILLS; round += 1) {
      for (const killed of round % 2 === 0 ? KILLED.map((name) => [name]) : [KILLED]) {
        made.push(await createUntilAnswered());
        await Promise.all(killed.map((name) => killAndStart(named(SCALED, name))));
        const startedAt = Date.now();
        for (const [name, role] of Object.entries(LIKENESS)) await untilReady(SCALED, name, role);
        await waitForReady(CADDY, ':8000/readyz', 60_000);
        // Right after a start a process may still answer 503. A lost challenge would stay a 404.
        await expect.poll(() => statusOf(made.at(-1)!), { timeout: 30_000 }).toBe(200);
        const title = killed.length > 1 ? 'all at once' : killed[0]!;
        times.set(title, [...(times.get(title) ?? []), Date.now() - startedAt]);
      }
    }
    for (const [title, ms] of times)
      console.log(`${title}: ready again after ${ms.map((each) => (each / 1000).toFixed(1)).join(', ')} s`);
    for (const id of made) await expect.poll(() => statusOf(id), { timeout: 30_000 }).toBe(200);
    console.log(`${made.length} challenges made between kills, all there`);
  },
  7_200_000,
);

async function statusOf(challengeId: string): Promise<number> {
  const url = `http://${await addressOf(CADDY)}:8000/v1/challenges/${challengeId}`;
  return (await fetch(url, { headers: { authorization: `Basic ${apiKey}` } })).status;
}

/**
 * Four clients that each create one challenge after the other. A process without enough processor time answers
 * "saturated", with Retry-After: this machine causes that, and the client retries. Any answer other than 201 is a
 * failure.
 */
function startLoad(address: string) {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  let [answered, saturated, stopping] = [0, 0, false];
  const clients = Array.from({ length: 4 }, async () => {
    while (!stopping) {
      const { status, text } = await create(address, agent).catch((error: Error) => ({
        status: error.message,
        text: '',
      }));
      if (status === 201) answered += 1;
      else if (status === 503 && text.includes('/errors/saturated')) saturated += 1;
      else failures.push(`${status} ${text}`);
      await delay(status === 201 ? 50 : 500);
    }
  });
  return {
    failures,
    answered: () => answered,
    saturated: () => saturated,
    stop: async () => {
      stopping = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

/** A new challenge's id. A restarted container may have a new address, and its proxy's connections break. */
async function createUntilAnswered(): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const answer = await create(await addressOf(CADDY), new Agent()).catch(() => null);
    if (answer?.status === 201) return JSON.parse(answer.text).challenge_id;
    if (tries === 100) throw new Error(`no challenge is created: ${answer?.status}`);
    await delay(200);
  }
}

async function create(address: string, agent: Agent): Promise<{ status: number; text: string }> {
  const asked = request(`http://${address}:8000/v1/create-challenge`, {
    agent,
    method: 'POST',
    headers: { authorization: `Basic ${apiKey}`, 'content-type': 'application/json' },
  }).end(BODY);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode!, text };
}
