// Stopping under load: two API processes, and clients with keep-alive connections that choose a process by /readyz, as
// a load balancer does. No request may fail.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';

const PROBE_EVERY_MS = 100;
const CLIENTS = 8;
const BODY = JSON.stringify({ liveness_only: true });

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = newDataDir();
});
afterAll(async () => {
  await database.drop();
  removeDataDir(dataDir);
});

const startOne = () =>
  startService({
    dataDir,
    environment: {
      ROLE: 'api',
      DATABASE_URL: database.url,
      SHUTDOWN_DELAY_SECONDS: '2',
    },
  });

test('replaces two processes one after the other under load: no request fails, and each exits with 0', async () => {
  const balancer = createBalancer([await startOne(), await startOne()]);
  const load = startLoad(balancer);
  try {
    for (let round = 0; round < 2; round += 1) {
      const next = await startOne();
      balancer.add(next);
      const old = balancer.services()[0]!;
      const slow = await beginSlowCreate(old);
      // Three processes at this moment, each with its pool and up to four more (docs/operations/README.md).
      expect(await countConnections()).toBeLessThanOrEqual(3 * (4 + 4));
      const stopped = old.stop();
      const leaving = { status: 503, body: { status: 'unavailable', parts: { running: false } } };
      await expect.poll(() => readyz(old), { timeout: 1_500 }).toEqual(leaving);
      // The slow request was under way at SIGTERM. It finishes after the process has stopped listening.
      const connectionError = () =>
        readyz(old).then(
          () => '',
          (error: NodeJS.ErrnoException) => error.code,
        );
      await expect.poll(connectionError, { timeout: 20_000 }).toBe('ECONNREFUSED');
      expect(await slow.finish()).toBe(201);
      expect(await stopped).toBe(0);
      balancer.remove(old);
    }
    expect(await load.stop()).toEqual([]);
    expect(load.answered()).toBeGreaterThan(100);
    // Each connection to a stopped process was closed with an answer, not during a request.
    expect(load.lastAnswers()).toBeGreaterThanOrEqual(2);
  } finally {
    await load.stop();
    await Promise.all(balancer.services().map((service) => service.stop()));
  }
}, 120_000);

async function countConnections(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'likeness %'`.execute(database.db);
  return rows[0]!.count;
}

/** Polls /readyz of every service, and returns in turn those that were ready at the last poll. */
function createBalancer(first: RunningService[]) {
  const services = [...first];
  const isReady = new Set(first);
  let turn = 0;
  const probe = async (service: RunningService) => {
    const answer = await readyz(service).catch(() => null);
    if (answer?.status === 200) isReady.add(service);
    else isReady.delete(service);
  };
  const timer = setInterval(() => void Promise.all(services.map(probe)), PROBE_EVERY_MS);
  timer.unref();
  return {
    services: () => services,
    add: (service: RunningService) => void services.push(service),
    remove: (service: RunningService) => {
      services.splice(services.indexOf(service), 1);
      isReady.delete(service);
    },
    next: () => {
      const ready = [...isReady];
      turn += 1;
      return ready[turn % ready.length];
    },
  };
}

function startLoad(balancer: ReturnType<typeof createBalancer>) {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  let [answered, lastAnswers, stopping] = [0, 0, false];
  const client = async () => {
    while (!stopping) {
      const service = balancer.next();
      if (!service) {
        failures.push('nobody is ready');
        return;
      }
      try {
        const { statusCode, headers } = await create(service, agent);
        answered += 1;
        if (headers.connection === 'close') lastAnswers += 1;
        if (statusCode !== 201) failures.push(`answered ${statusCode}`);
      } catch (error) {
        failures.push((error as Error).message);
      }
      await delay(5);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    answered: () => answered,
    lastAnswers: () => lastAnswers,
    stop: async () => {
      stopping = true;
      await Promise.all(clients);
      agent.destroy();
      return failures;
    },
  };
}

async function create(service: RunningService, agent: Agent): Promise<IncomingMessage> {
  const asked = post(service, agent).end(BODY);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  for await (const _ of answer);
  return answer;
}

const post = (service: RunningService, agent: Agent) =>
  request(`${service.url}/v1/create-challenge`, {
    agent,
    method: 'POST',
    headers: {
      authorization: `Basic ${service.credentials.api_key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(BODY),
    },
  });

/** Sends a request except for its last byte, which `finish` sends. */
async function beginSlowCreate(service: RunningService): Promise<{ finish(): Promise<number> }> {
  const asked = post(service, new Agent({ keepAlive: true }));
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  await new Promise<void>((done) => asked.write(BODY.slice(0, -1), () => done()));
  // Once a later request has been answered, what was written has arrived.
  await readyz(service);
  return {
    finish: async () => {
      asked.end(BODY.slice(-1));
      const [answer] = await answered;
      answer.resume();
      return answer.statusCode!;
    },
  };
}

async function readyz({ url }: RunningService): Promise<{ status: number; body: unknown }> {
  const asked = request(`${url}/readyz`, { agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode!, body: JSON.parse(text) };
}
