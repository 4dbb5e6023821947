// A database that neither answers nor refuses: connections that go silent without being closed, and a server that came
// back as a standby. Everything that waits for it, in every process, carries on once a server is there again.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type DatabaseLine, openDatabaseLine } from '../../support/database-line.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';

let database: TestDatabase;
let receiver: Receiver;
let line: DatabaseLine;
let service: RunningService | undefined;
let dataDir: string;
beforeEach(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  line = await openDatabaseLine(database.url);
  dataDir = newDataDir();
});
afterEach(async () => {
  await service?.stop();
  await line.close();
  await receiver.close();
  await database.drop();
  removeDataDir(dataDir);
});

const start = async (databaseUrl: string): Promise<TestApi> => {
  const environment = { DATABASE_URL: databaseUrl };
  service = await startService({ dataDir, environment, timeoutMs: 300_000 });
  return new TestApi(service);
};
const readyz = async () => (await fetch(`${service!.url}/readyz`)).status;
const create = (api: TestApi) =>
  api.call('POST', '/v1/create-challenge', {
    liveness_only: true,
    notifications: { expired: [{ type: 'http', properties: { endpoint_url: receiver.url } }] },
  });
const expire = () =>
  sql`update challenge set expires_at = now() where status = 'created'`.execute(database.db);

it('all work moves to new connections when the old ones go silent; silence does not keep a process from stopping', async () => {
  const api = await start(line.url);
  expect((await create(api)).status).toBe(201);
  // Statements of every loop are under way and get no answer.
  line.silence();
  const kept = Array.from({ length: 12 }, () => create(api));
  const statuses = (await Promise.all(kept)).map(({ status }) => status);
  expect(statuses.every((status) => status === 503 || status === 201)).toBe(true);
  await expect.poll(async () => (await create(api)).status, { timeout: 45_000 }).toBe(201);
  expect(await readyz()).toBe(200);
  await expire();
  await receiver.received(2, 30_000);
  const job = await sql<{ id: string }>`select id from graphile_worker.add_job('judge', '{}')`.execute(
    database.db,
  );
  const left = () => sql`select from graphile_worker.jobs where id = ${job.rows[0]!.id}`.execute(database.db);
  await expect.poll(async () => (await left()).rows.length, { timeout: 30_000 }).toBe(0);
  line.silence();
  await delay(2_000);
  expect(await service!.stop()).toBe(0);
}, 600_000);

it('no session stays with a server that became a standby once another has taken its name', async () => {
  const api = await start(database.url);
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  const name = new URL(database.url).pathname.slice(1);
  // The setting stands in for another server: sessions keep the value that they began with.
  await admin.query(`alter database ${name} set default_transaction_read_only = on`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await expect.poll(async () => (await create(api)).status).toBe(503);
  await expect.poll(readyz).toBe(503);
  let stopped = false;
  const load = (async () => {
    while (!stopped) {
      await Promise.all([create(api), create(api)]);
      await delay(20);
    }
  })();
  await delay(2_000);
  await admin.query(`alter database ${name} reset default_transaction_read_only`);
  await delay(5_000);
  const answers = await Promise.all(Array.from({ length: 30 }, () => create(api)));
  stopped = true;
  await load;
  await admin.end();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await readyz()).toBe(200);
  await expire();
  await receiver.received(30, 60_000);
}, 600_000);
