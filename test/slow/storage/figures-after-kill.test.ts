// The console's figures are right after kill -9 of an API in the middle of the writes that they count, and of folding.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFigures, readHeld } from '../../../src/storage/postgres/console/figures.ts';
import type { Database } from '../../../src/storage/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';

const ROUNDS = 4;
const WRITERS = 12;
const dataDir = newDataDir();
let database: TestDatabase;
let service: RunningService | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await service?.stop();
  await database.drop();
  removeDataDir(dataDir);
});

const start = () =>
  startService({
    dataDir,
    environment: { DATABASE_URL: database.url, CREATE_RATE_PER_MINUTE: '10000000', LOG_LEVEL: 'warn' },
  });

/** Creates, cancels and erases until the service is gone; returns how many creations were answered. */
async function write({ url, credentials }: RunningService): Promise<number> {
  const call = (method: string, path: string, body?: object) =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Basic ${credentials.api_key}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    });
  let answered = 0;
  try {
    for (;;) {
      const created = await call('POST', '/create-challenge', { liveness_only: true });
      const { challenge_id: id } = (await created.json()) as { challenge_id: string };
      answered += 1;
      if (answered % 3 === 0) await call('POST', `/challenges/${id}/cancel`);
      if (answered % 7 === 0) await call('DELETE', `/challenges/${id}`);
    }
  } catch {
    return answered;
  }
}

async function expectExact(db: Database): Promise<{ created: number; changes: number }> {
  const { rows } = await sql<{ created: number; cancelled: number; lines: number; changes: number }>`
    select count(*)::int as created,
      count(*) filter (where status = 'cancelled')::int as cancelled,
      (select count(*)::int from audit) as lines, (select count(*)::int from figure_change) as changes
    from challenge`.execute(db);
  const { created, cancelled, lines, changes } = rows[0]!;
  const { days } = await readFigures(db);
  const sum = (of: 'created' | 'cancelled') => days.reduce((total, day) => total + day[of], 0);
  expect({ created: sum('created'), cancelled: sum('cancelled') }).toEqual({ created, cancelled });
  expect((await readHeld(db)).find(({ what }) => what === 'audit_lines')!.count).toBe(lines);
  return { created, changes };
}

test('figures match what is there after every kill', async () => {
  const { db } = database;
  let before = 0;
  for (let round = 0; round < ROUNDS; round++) {
    service = await start();
    const writers = Array.from({ length: WRITERS }, () => write(service!));
    // The rounds last past the first folding, which comes at once, and into the second, ten seconds later.
    await new Promise((done) => setTimeout(done, 3_000 + round * 3_000));
    await service.kill();
    expect((await Promise.all(writers)).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0);
    const { created } = await expectExact(db);
    expect(created).toBeGreaterThan(before);
    before = created;
  }
  service = await start();
  // In the end everything is folded, and the figures are still the same.
  await expect.poll(async () => (await expectExact(db)).changes, { timeout: 60_000 }).toBe(0);
}, 300_000);
