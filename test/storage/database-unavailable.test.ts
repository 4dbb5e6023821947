// Every way in which a connection can be lost, with a real server: each is reported as the database being out of reach.
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql, type Transaction } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../../src/base/database-unavailable.ts';
import { createDatabase, type Database } from '../../src/storage/postgres/database.ts';
import type { Schema } from '../../src/storage/postgres/schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
/** The database whose connections are cut. */
let victim: Database;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  victim = createDatabase(database.url, { maxConnections: 1 });
});
afterEach(() => victim.destroy());
afterAll(() => database?.drop());

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
const pidOf = async (session: Database | Transaction<Schema>) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session)).rows[0]!.pid;
const cut = (pid: number) => sql`select pg_terminate_backend(${pid})`.execute(database.db);

it.skipIf(process.platform !== 'linux')('a connection uses keep-alive to detect a dead server', async () => {
  const { rows } = await sql<{ port: number }>`select inet_client_port() as port`.execute(victim);
  const port = rows[0]!.port.toString(16).toUpperCase().padStart(4, '0');
  const { stdout } = await promisify(execFile)('cat', ['/proc/net/tcp', '/proc/net/tcp6']);
  const own = stdout.split('\n').find((line) => line.trim().split(/\s+/)[1]?.endsWith(`:${port}`));
  // Column tr: the kernel's timer of the connection, 02 for keep-alive.
  expect(own?.trim().split(/\s+/)[5]).toMatch(/^02:/);
});

describe('a connection that is cut', () => {
  it('during a statement', async () => {
    const pid = await pidOf(victim);
    const running = errorOf(sql`select pg_sleep(30)`.execute(victim));
    await delay(100);
    await cut(pid);
    expect(isDatabaseUnavailable(await running)).toBe(true);
  });

  it('between two statements of a transaction', async () => {
    const broken = await errorOf(
      victim.transaction().execute(async (trx) => {
        await cut(await pidOf(trx));
        await delay(100);
        await pidOf(trx);
      }),
    );
    expect(broken).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(broken)).toBe(true);
  });

  it('while it waits in the pool is not noticed, or reported as such', async () => {
    await cut(await pidOf(victim));
    const found = await errorOf(pidOf(victim));
    expect(found === null || isDatabaseUnavailable(found)).toBe(true);
  });
});

it('a server that is not running is out of reach; a wrong statement is another error', async () => {
  const nowhere = createDatabase('postgres://nobody@127.0.0.1:1/none');
  expect(isDatabaseUnavailable(await errorOf(pidOf(nowhere)))).toBe(true);
  await nowhere.destroy();
  expect(isDatabaseUnavailable(await errorOf(sql`select nothing`.execute(database.db)))).toBe(false);
});
