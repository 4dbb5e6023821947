// The console's figures are those of the rows, and a figure that cannot be counted in time is null.
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { deliveryReadings } from '../../../src/console/tables/deliveries.ts';
import { countDays, countHeld, readFigures } from '../../../src/console/tables/figures.ts';
import { readQueues } from '../../../src/console/tables/queue-figures.ts';
import { createDatabase, type Database } from '../../../src/storage/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const ACCOUNT = newId('account');
const CLOSED = {
  pass: { status: 'completed', overall_result: 'pass', sealed_result: Buffer.of(1) },
  fail: { status: 'completed', overall_result: 'fail', sealed_result: Buffer.of(1) },
  expired: { status: 'expired', overall_result: null, sealed_result: null },
  cancelled: { status: 'cancelled', overall_result: null, sealed_result: null },
} as const;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  await sql`insert into account (id, name, display_name, wrapped_key, master_key_id)
    values (${ACCOUNT}, 'counted', 'Counted', '', 'k')`.execute(db);
});
afterAll(() => database.drop());

/** Noon of a day (UTC), so that no midnight changes it. */
const noon = (daysAgo: number) =>
  new Date(Math.floor(Date.now() / 86_400_000 - daysAgo) * 86_400_000 + 43_200_000);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

async function addChallenge(
  at: Date,
  outcome: keyof typeof CLOSED | 'open',
  sandbox = false,
): Promise<string> {
  const id = newId('challenge');
  await db
    .insertInto('challenge')
    .values({
      id,
      account_id: ACCOUNT,
      sandbox,
      public_request: '{}',
      sealed_request: Buffer.of(),
      link_hash: randomBytes(32),
      created_at: at,
      expires_at: at,
      ...(outcome !== 'open' && {
        ...CLOSED[outcome],
        closed_at: at,
        closed_reason: CLOSED[outcome].status,
      }),
    })
    .execute();
  return id;
}

describe('challenges by day', () => {
  it('are counted by what became of them, without the sandbox’s and older ones', async () => {
    for (const outcome of ['pass', 'pass', 'fail', 'expired', 'cancelled', 'open'] as const)
      await addChallenge(noon(3), outcome);
    await addChallenge(noon(3), 'pass', true);
    await addChallenge(noon(29), 'fail');
    await addChallenge(noon(30), 'fail');
    const days = (await countDays(db))!;
    expect(days.map(({ day }) => day)).toEqual(Array.from({ length: 30 }, (_, at) => dayOf(noon(29 - at))));
    const none = { created: 0, passed: 0, failed: 0, expired: 0, cancelled: 0 };
    expect(days).toEqual(
      days.map(({ day }, at) => ({
        day,
        ...none,
        ...(at === 26 && { created: 6, passed: 2, failed: 1, expired: 1, cancelled: 1 }),
        ...(at === 0 && { created: 1, failed: 1 }),
      })),
    );
  });

  it('are null if counting takes longer than a statement may', async () => {
    const impatient = createDatabase(database.url, { statementTimeoutMs: 50 });
    const lock = await db.startTransaction().execute();
    try {
      await sql`lock table challenge in access exclusive mode`.execute(lock);
      expect(await countDays(impatient)).toBeNull();
      const held = await countHeld(impatient);
      expect(held.find(({ what }) => what === 'results')).toEqual({
        what: 'results',
        count: null,
        bytes: null,
        oldest: null,
      });
    } finally {
      await lock.rollback().execute();
      await impatient.destroy();
    }
    expect(await countDays(db)).not.toBeNull();
  });
});

it('times are those of the newest judged challenges', async () => {
  await db.deleteFrom('challenge').execute();
  for (const seconds of [1, 2, 3, 4, 100]) {
    const id = await addChallenge(noon(0), 'pass');
    await sql`insert into capture (id, challenge_id, account_id, attempt, state, level, script, commit_deadline, submitted_at)
      values (${`cap${id}`}, ${id}, ${ACCOUNT}, 1, 'judged', 'standard', '{}', now(), ${noon(0)}::timestamptz - ${seconds} * interval '1 second')`.execute(
      db,
    );
  }
  await addChallenge(noon(0), 'expired');
  const { judgement_ms } = await readFigures(db);
  expect(judgement_ms).toEqual({ n: 5, median: 3_000, p95: expect.closeTo(80_800) });
});

it('erased keys wait from when they are due, and the oldest says how long', async () => {
  const waiting = async () => (await readQueues(db)).find(({ queue }) => queue === 'erase');
  expect(await waiting()).toEqual({ queue: 'erase', depth: 0, oldestSeconds: 0 });
  await sql`insert into key_erasure (bucket, due_at)
    select 0, now() - due * interval '1 second' from unnest(array[30, 90, -600]) as due`.execute(db);
  const { depth, oldestSeconds } = (await waiting())!;
  expect(depth).toBe(2);
  expect(oldestSeconds).toBeGreaterThanOrEqual(90);
  expect(oldestSeconds).toBeLessThan(600);
});

it('what is held is counted, with its size and its oldest', async () => {
  await db.deleteFrom('challenge').execute();
  const [older, newer] = [noon(2), noon(1)];
  for (const at of [older, newer]) {
    const id = await addChallenge(at, 'fail');
    await addChallenge(at, 'expired');
    for (const [kind, bytes] of [
      ['liveness_video', 1_000],
      ['best_frame', 200],
      ['logo', 7],
    ] as const)
      await sql`insert into asset (id, account_id, challenge_id, kind, mime_type, size_bytes, sealed_key, created_at)
        values (${newId('asset')}, ${ACCOUNT}, ${id}, ${kind}, 'x', ${bytes}, '', ${at})`.execute(db);
    await sql`insert into featid (id, account_id, source, pack, layout, sealed_template, key_check, created_at, revoked_at)
      select id, ${ACCOUNT}, 'image', 'p', 1, case when revoked is null then ''::bytea end, '', ${at}, revoked::timestamptz
      from (values (${randomUUID()}, null), (${randomUUID()}, ${at.toISOString()})) as given (id, revoked)`.execute(
      db,
    );
    await sql`insert into audit (at, actor, action) values (${at}, 'a', 'b')`.execute(db);
  }
  const oldest = older.toISOString();
  expect(await countHeld(db)).toEqual([
    { what: 'videos', count: 2, bytes: 2_000, oldest },
    { what: 'best_frames', count: 2, bytes: 400, oldest },
    { what: 'results', count: 2, bytes: null, oldest },
    { what: 'templates', count: 2, bytes: null, oldest },
    { what: 'tombstones', count: 2, bytes: null, oldest },
    { what: 'audit_lines', count: 2, bytes: null, oldest },
  ]);
});

describe('receivers', () => {
  async function addDeliveries(count: number, receiver: string, status: string, outcome: string | null) {
    const ids = Array.from({ length: count }, () => newId('delivery'));
    await sql`insert into delivery (id, account_id, event, endpoint_index, sealed_endpoint, endpoint_hash, address_hash,
        status, next_attempt_at)
      select id, ${ACCOUNT}, 'test', 0, '', 'one host', ${Buffer.from(receiver)}, status,
        case when status = 'pending' then now() end
      from unnest(${ids}::text[]) as id, (values (${status})) as given (status)`.execute(db);
    if (outcome)
      await sql`insert into delivery_attempt (delivery_id, at, duration_ms, outcome)
        select id, now(), 100 * n, ${outcome} from unnest(${ids}::text[]) with ordinality as given (id, n)`.execute(
        db,
      );
    return ids.at(-1)!;
  }

  it('are those of the newest deliveries and of the newest undelivered, the most undelivered first', async () => {
    await addDeliveries(1, 'forgotten', 'delivered', 'delivered');
    const failed = await addDeliveries(3, 'dead', 'failed', 'timeout');
    const pending = await addDeliveries(2, 'new', 'pending', null);
    const delivered = await addDeliveries(1_000, 'live', 'delivered', 'delivered');
    const named = (name: string) => {
      const receiver = Buffer.from(name).toString('hex');
      return {
        account_id: ACCOUNT,
        account_name: 'counted',
        receiver,
        endpoint: receiver,
        last_status: null,
      };
    };
    expect(await deliveryReadings(db).listEndpoints()).toEqual([
      {
        ...named('dead'),
        delivered: 0,
        pending: 0,
        failed: 3,
        median_ms: 200,
        last_outcome: 'timeout',
        lastDeliveryId: failed,
      },
      {
        ...named('new'),
        delivered: 0,
        pending: 2,
        failed: 0,
        median_ms: null,
        last_outcome: null,
        lastDeliveryId: pending,
      },
      {
        ...named('live'),
        delivered: 1_000,
        pending: 0,
        failed: 0,
        median_ms: 50_050,
        last_outcome: 'delivered',
        lastDeliveryId: delivered,
      },
    ]);
  });
});
