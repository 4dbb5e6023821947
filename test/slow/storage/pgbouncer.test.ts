// The service behind a PgBouncer in transaction mode: what needs a session of its own bypasses it.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type RunningService, startService } from '../../support/running-service.ts';

/** Fewer than the service's own pools hold, so that transactions of several clients share a connection. */
const SERVER_CONNECTIONS = 3;

describe.skipIf(!hasPgBouncer())('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let receiver: Receiver;
  let service: RunningService;
  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPgBouncer(database.url, SERVER_CONNECTIONS);
    receiver = await startReceiver();
    service = await startService({
      environment: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url, LOG_LEVEL: 'debug' },
    });
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
    await pooler?.stop();
    await database?.drop();
    if (service) rmSync(service.dataDir, { recursive: true, force: true });
  });

  const call = (method: string, path: string, body?: object) =>
    fetch(`${service.url}${path}`, {
      method,
      headers: {
        authorization: `Basic ${service.credentials.api_key}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const create = async () => {
    const created = await call('POST', '/v1/create-challenge', {
      liveness_only: true,
      expires_in_seconds: 60,
      notifications: { expired: [{ type: 'http', properties: { endpoint_url: receiver.url } }] },
    });
    expect(created.status, await created.clone().text()).toBe(201);
    return ((await created.json()) as { challenge_id: string }).challenge_id;
  };

  it('erases a challenge', async () => {
    const id = await create();
    expect((await call('DELETE', `/v1/challenges/${id}`)).status).toBe(204);
    expect((await call('GET', `/v1/challenges/${id}`)).status).toBe(404);
  });

  it('creates, expires and delivers many challenges at once', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, create));
    await sql`update challenge set expires_at = now() where id = any(${ids})`.execute(database.db);
    await receiver.received(40, 30_000);
    const recorded = () => sql`select from delivery where status = 'delivered'`.execute(database.db);
    await expect.poll(async () => (await recorded()).rows.length, { timeout: 20_000 }).toBe(40);
  });

  it('runs jobs that workers are notified of', async () => {
    const job = await sql<{ id: string }>`select id from graphile_worker.add_job('judge', '{}')`.execute(
      database.db,
    );
    const left = () =>
      sql`select from graphile_worker.jobs where id = ${job.rows[0]!.id}`.execute(database.db);
    await expect.poll(async () => (await left()).rows.length, { timeout: 20_000 }).toBe(0);
  });

  it('removes the key of the erased challenge from the disk', async () => {
    const waiting = async () => (await sql`select from key_erasure`.execute(database.db)).rows.length;
    await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  });

  it('listens and locks outside the pooler, holds none of its connections, and logs no trouble', async () => {
    const { rows } = await sql<{ application_name: string; port: number }>`
      select application_name, client_port as port from pg_stat_activity where datname = current_database()`.execute(
      database.db,
    );
    const named = rows.map((row) => row.application_name);
    for (const own of ['likeness listener', 'likeness presence']) expect(named).toContain(own);
    const locks = await sql`
      select from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and a.datname = current_database()
        and a.application_name not in ('likeness presence')`.execute(database.db);
    expect(locks.rows).toEqual([]);
    // A session lock or a LISTEN that was left on a pooled connection would still be held.
    const pooled = new pg.Client({ connectionString: pooler.url });
    await pooled.connect();
    expect((await pooled.query('select * from pg_listening_channels()')).rows).toEqual([]);
    await pooled.end();
    expect(service.log()).not.toMatch(/prepared statement|lost a worker|a sweep failed|connection broke/);
  });
});
