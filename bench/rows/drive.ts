// Uses the service on a filled database: requests over HTTP, its sweeps and deliveries as they come, and the statements
// of its stores where filled rows cannot be opened (their seals are fake).
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { createLogger } from '../../src/base/log.ts';
import { createStoreMarks } from '../../src/challenge/tables/asset-store-marks.ts';
import { type Foundation, openFoundation } from '../../src/composition/foundation.ts';
import { composeServices } from '../../src/composition/services.ts';
import { composeRetention } from '../../src/composition/sweeps.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { readQueues } from '../../src/console/tables/queue-figures.ts';
import { createConsoleStore } from '../../src/console/tables/store.ts';
import { CHALLENGE_STATUSES } from '../../src/contract/states.ts';
import { createFeatidStore } from '../../src/featid/tables/store.ts';
import { adoptStore } from '../../src/storage/assets/marked-blobs.ts';
import { openBlobStore } from '../../src/storage/assets/open-blob-store.ts';
import { createDeliveryStore } from '../../src/webhook/tables/store.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { type RunningService, startService } from '../../test/support/running-service.ts';
import { BENCH_MARK } from './plans.ts';

const own = sql.raw(`${BENCH_MARK} `);
const ROUNDS = 20;
const EXPIRING = 20;
const START_TIMEOUT_MS = 600_000;
/** Sweeps start with the service; the least frequent runs once a minute. */
const SWEEPS_MS = 15_000;

export async function drive(
  databaseUrl: string,
  dataDir: string,
  filled: { challenges: number; featids: number; masterKey: string },
): Promise<void> {
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    MASTER_KEY: filled.masterKey,
  };
  const config = readConfig({ ...environment, MODE: 'development' });
  const foundation = await openFoundation(config, createLogger({ level: 'warn', process: 'bench' }));
  // The filled assets have no files. Without this, the service would take the store for the wrong one.
  await adoptStore(openBlobStore(config), createStoreMarks(foundation.database.db));
  const service = await startService({ dataDir, environment, timeoutMs: START_TIMEOUT_MS });
  try {
    await useApi(service, foundation);
    await readLists(foundation);
    await readConsole(foundation);
    await useStores(foundation, filled);
    await delay(SWEEPS_MS);
  } finally {
    await foundation.close();
    await service.stop();
  }
}

async function useApi(service: RunningService, { database }: Foundation): Promise<void> {
  const receiver = await startReceiver();
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        authorization: `Basic ${service.credentials.api_key}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status >= 400)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  };
  const notification = { type: 'http', properties: { endpoint_url: receiver.url } };
  const create = async () =>
    (await call('POST', '/v1/create-challenge', {
      liveness_only: true,
      customer_reference: `bench ${randomBytes(4).toString('hex')}`,
      notifications: { expired: [notification] },
    })) as { challenge_id: string; challenge_url: string };
  const expiring: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { challenge_id: id, challenge_url: link } = await create();
    await fetch(link);
    await call('GET', `/v1/challenges/${id}`);
    await call('GET', '/v1/challenges?limit=20&status=created');
    await call('GET', `/v1/challenges/${id}/deliveries`);
    if (round % 2 === 0) await call('POST', `/v1/challenges/${id}/cancel`, {});
    if (round % 4 === 0) await call('DELETE', `/v1/challenges/${id}`);
  }
  for (let each = 0; each < EXPIRING; each++) expiring.push((await create()).challenge_id);
  await sql`${own}update challenge set expires_at = now() where id = any(${expiring})`.execute(database.db);
  await receiver.received(EXPIRING, 60_000);
  await receiver.close();
}

async function readLists(foundation: Foundation): Promise<void> {
  const { database } = foundation;
  const { store } = composeServices(foundation).challengeParts;
  const deliveries = createDeliveryStore(database.db);
  const accounts = await sql<{ id: string }>`${own}select id from account order by id`.execute(database.db);
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
  for (const { id } of accounts.rows) {
    const first = await store.list(id, { limit: 100 });
    if (first.next) await store.list(id, { limit: 100, before: first.next });
    for (const status of CHALLENGE_STATUSES) await store.list(id, { limit: 20, status });
    await store.list(id, { limit: 20, createdBefore: day(60) });
    await store.list(id, { limit: 20, createdAfter: day(50), createdBefore: day(49), status: 'cancelled' });
    const tags = await sql<{ tag: Buffer }>`${own}
      select reference_tag as tag from erasure_key where id in (
        select id from challenge where account_id = ${id} limit 3)`.execute(database.db);
    for (const { tag } of tags.rows) await store.list(id, { limit: 20, referenceTag: tag });
    await deliveries.list({ accountId: id, limit: 50 });
    await deliveries.list({ accountId: id, status: 'failed', limit: 50 });
  }
}

async function readConsole({ database }: Foundation): Promise<void> {
  const store = createConsoleStore(database.reports);
  const [some] = (await store.searchChallenges({ limit: 50 })).data;
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([
      store.readFigures(),
      store.listJudgedIds(200).then(store.readJudged),
      store.listEndpoints(),
    ]);
    await store.listAudit(null, 51);
    await store.searchChallenges({ limit: 50 });
    await store.searchDeliveries({ limit: 51 });
    await store.findChallenge(some!.id);
  }
  await store.countDays();
  await store.countWaiting();
  await store.countHeld();
  for (const status of CHALLENGE_STATUSES) await store.searchChallenges({ limit: 50, status });
  for (const result of ['pass', 'fail'] as const) await store.searchChallenges({ limit: 50, result });
  for (const status of ['pending', 'delivered', 'failed', 'cancelled'] as const)
    await store.searchDeliveries({ limit: 51, status });
  for (const text of [
    some!.id,
    some!.id.slice(0, 20),
    'account 7',
    'account',
    'a reference that nobody has',
  ]) {
    await store.searchChallenges({ limit: 50, text: { text, referenceTags: [randomBytes(32)] } });
  }
}

async function useStores(foundation: Foundation, { featids }: { featids: number }): Promise<void> {
  const { database } = foundation;
  const services = composeServices(foundation);
  const { store } = services.challengeParts;
  const featidStore = createFeatidStore(database.db);
  const known = await sql<{ id: string; account_id: string }>`${own}
    select md5(n::text) as id, account_id from generate_series(1, ${featids}::bigint, ${Math.ceil(featids / 50)}::bigint) n
    join featid on featid.id = md5(n::text)`.execute(database.db);
  for (const { account_id: accountId } of known.rows) {
    await featidStore.findMany(
      accountId,
      known.rows.map(({ id }) => id),
      32,
    );
    await featidStore.recordUse(
      accountId,
      known.rows.slice(0, 5).map(({ id }) => id),
    );
  }
  const captures = await sql<{ id: string; challenge_id: string; account_id: string }>`${own}
    select id, challenge_id, account_id from capture order by id desc limit ${ROUNDS}`.execute(database.db);
  for (const { id, challenge_id: challengeId, account_id: accountId } of captures.rows) {
    const prints = Array.from({ length: 24 }, () => randomBytes(16));
    await store.rememberFrames({ captureId: id, accountId, prints });
    await store.findCapture(id);
    await store.countAhead(id);
    await store.takeCapture('1');
    await store.isQueueFull(accountId, 120);
    // With everything that depends on it.
    await store.erase(accountId, challengeId, 'bench');
    await readQueues(database.db);
  }
  for (const task of composeRetention(foundation, services)) await task.run();
  await services.close();
}
