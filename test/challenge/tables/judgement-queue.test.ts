// Judgements in turn by account: an account with many waiting captures delays no other, none waits forever, no capture
// is judged twice at once, and the position shown on the page is correct.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { NewChallenge } from '../../../src/challenge/tables/creation.ts';
import { createChallenge } from '../../../src/challenge/tables/creation.ts';
import {
  countAhead,
  isQueueFull,
  putBack,
  takeCapture,
} from '../../../src/challenge/tables/judgement-queue.ts';
import { publicRequest } from '../../../src/contract/challenge-request.ts';
import { newErasureKey } from '../../../src/keys/erasure-key.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let accounts: string[];
let nextJob = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  accounts = await Promise.all(Array.from({ length: 4 }, makeAccount));
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { db } = database;
  await db.deleteFrom('challenge').execute();
  await db.deleteFrom('judgement_turn').execute();
  await sql`delete from graphile_worker._private_jobs`.execute(db);
});

async function makeAccount(): Promise<string> {
  const id = newId('account');
  const row = { id, name: id, display_name: 'a', wrapped_key: Buffer.of(), master_key_id: 'k' };
  await database.db.insertInto('account').values(row).execute();
  return id;
}

/** A waiting capture, as `submit` leaves it. Later calls are later submissions. */
async function arrive(account: string): Promise<string> {
  const { db } = database;
  const challenge = newId('challenge');
  const created: NewChallenge = {
    id: challenge,
    accountId: account,
    detailsKey: newErasureKey(),
    videoKey: newErasureKey(),
    sandbox: false,
    expiresInSeconds: 600,
    request: publicRequest({ liveness_only: true, require_consent: false }, 'standard'),
    sealedRequest: Buffer.of(),
    referenceTag: null,
    linkHash: randomBytes(32),
    featidIds: [],
    actor: 'test',
  };
  await createChallenge(db, created, null);
  await db.updateTable('challenge').set({ status: 'processing' }).where('id', '=', challenge).execute();
  const id = newId('capture');
  await db
    .insertInto('capture')
    .values({
      id,
      challenge_id: challenge,
      account_id: account,
      attempt: 1,
      state: 'submitted',
      level: 'standard',
      script: '{"steps":[]}',
      commit_deadline: new Date(),
      submitted_at: sql<Date>`clock_timestamp()`,
    })
    .execute();
  return id;
}

const newJob = () => String(++nextJob);
const take = async (job = newJob()) => (await takeCapture(database.db, job))?.capture.id ?? null;
const settle = (id: string) =>
  database.db.updateTable('capture').set({ state: 'judged' }).where('id', '=', id).execute();
const waiting = async () => {
  const rows = await database.db
    .selectFrom('capture')
    .select(['id', 'account_id'])
    .where('state', '=', 'submitted')
    .where('taken_by', 'is', null)
    .execute();
  return rows.map((row) => ({ id: row.id, account: row.account_id! }));
};

describe('turns', () => {
  test('one capture of another account comes right after the one being judged', async () => {
    const [many, one] = accounts as [string, string];
    const hostile: string[] = [];
    for (let count = 0; count < 10; count++) hostile.push(await arrive(many));
    expect(await take()).toBe(hostile[0]);
    const honest = await arrive(one);
    expect(await countAhead(database.db, honest)).toBe(1);
    expect(await take()).toBe(honest);
    expect(await take()).toBe(hostile[1]);
  });

  test('a capture whose job failed is the next, though its job comes last', async () => {
    const { db } = database;
    const [first, second] = [await arrive(accounts[0]!), await arrive(accounts[0]!)];
    const job = await sql<{ id: string }>`select id from graphile_worker.add_job('judge',
      run_at => now() + interval '1 hour')`.execute(db);
    const lock = (worker: string | null) =>
      sql`update graphile_worker._private_jobs set locked_by = ${worker}, locked_at = case when ${worker}::text
        is not null then now() end`.execute(db);
    await lock('worker');
    expect(await take(job.rows[0]!.id)).toBe(first);
    expect(await take()).toBe(second);
    expect(await take()).toBeNull();
    await lock(null);
    expect(await take()).toBe(first);
  });

  test('in any history, each account has its turn with its oldest capture, and none is passed over twice', async () => {
    const event = fc.oneof(
      { weight: 3, arbitrary: fc.record({ arrives: fc.nat(3) }) },
      { weight: 4, arbitrary: fc.constant('judged' as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        await database.db.deleteFrom('challenge').execute();
        /** Turns that others have had since an account began to wait, or since its own last turn. */
        const passedBy = new Map<string, Map<string, number>>();
        for (const each of events) {
          if (each !== 'judged') {
            const account = accounts[each.arrives]!;
            await arrive(account);
            if (!passedBy.has(account)) passedBy.set(account, new Map());
            continue;
          }
          const before = await waiting();
          const taken = await take();
          if (before.length === 0) {
            expect(taken).toBeNull();
            continue;
          }
          const { account } = before.find(({ id }) => id === taken)!;
          expect(taken).toBe(
            before
              .filter((other) => other.account === account)
              .map(({ id }) => id)
              .sort()[0],
          );
          await settle(taken!);
          const left = new Set((await waiting()).map((each) => each.account));
          passedBy.delete(account);
          if (left.has(account)) passedBy.set(account, new Map());
          for (const [other, turns] of passedBy) {
            if (other === account || !left.has(other)) continue;
            turns.set(account, (turns.get(account) ?? 0) + 1);
            expect(turns.get(account)).toBeLessThanOrEqual(1);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  test('the position shown on the page is the number of judgements before its own', async () => {
    const arrivals = fc.array(fc.nat(3), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(arrivals, fc.nat(4), async (order, alreadyJudged) => {
        await database.db.deleteFrom('challenge').execute();
        for (const index of order) await arrive(accounts[index]!);
        for (let count = 0; count < alreadyJudged; count++) {
          const id = await take();
          if (id) await settle(id);
        }
        const places = new Map<string, number>();
        for (const { id } of await waiting()) places.set(id, await countAhead(database.db, id));
        const judged: string[] = [];
        for (let id = await take(); id; id = await take()) {
          judged.push(id);
          await settle(id);
        }
        expect([...places].sort(([, a], [, b]) => a - b).map(([id]) => id)).toEqual(judged);
        expect([...places.values()].sort((a, b) => a - b)).toEqual(judged.map((_, index) => index));
      }),
      { numRuns: 20 },
    );
  });

  test('many concurrent workers take each capture once', async () => {
    for (let count = 0; count < 12; count++) await arrive(accounts[count % 3]!);
    const taken = await Promise.all(Array.from({ length: 15 }, () => take()));
    const ids = taken.filter((id) => id !== null);
    expect(ids).toHaveLength(12);
    expect(new Set(ids).size).toBe(12);
  });

  test('every waiting capture has a token, however often it is put back', async () => {
    const tokens = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from graphile_worker.jobs where task_identifier = 'judge'`.execute(
        database.db,
      );
      return rows[0]!.count;
    };
    const id = await arrive(accounts[0]!);
    expect(await take()).toBe(id);
    await putBack(database.db, id, { afterMs: 0, counted: true });
    expect(await tokens()).toBe(1);
    expect(await take()).toBe(id);
    await settle(id);
    // Settled meanwhile: nothing waits, and no token is queued.
    await putBack(database.db, id, { afterMs: 0, counted: true });
    expect(await tokens()).toBe(1);
  });

  test('a capture that is put back yields to others until its time has come', async () => {
    const [first, second] = [await arrive(accounts[0]!), await arrive(accounts[0]!)];
    expect(await take()).toBe(first);
    await putBack(database.db, first, { afterMs: 60_000, counted: true });
    expect(await take()).toBe(second);
    expect(await take()).toBeNull();
    await database.db
      .updateTable('capture')
      .set({ judge_after: new Date() })
      .where('id', '=', first)
      .execute();
    expect(await take()).toBe(first);
  });

  test('the token of a capture that is put back is not a fraction of a millisecond early', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await arrive(accounts[0]!);
      expect(await take()).toBe(id);
      await putBack(database.db, id, { afterMs: 60_000, counted: true });
      const { rows } = await sql<{ early: string }>`
        select extract(epoch from c.judge_after - j.run_at)::text as early
        from capture c, graphile_worker.jobs j where c.id = ${id} order by j.id desc limit 1`.execute(
        database.db,
      );
      // Run too early, the token would find nothing and be used up, and nobody would judge the capture.
      expect(Number(rows[0]!.early)).toBe(0);
      await settle(id);
    }
  });

  test('a job whose worker died puts its capture back and takes the next', async () => {
    const [poison, other] = [await arrive(accounts[0]!), await arrive(accounts[1]!)];
    expect(await take('900')).toBe(poison);
    expect(await countAhead(database.db, other)).toBe(1);
    // The account of the job that died has had its turn.
    expect(await take('900')).toBe(other);
    expect(await take('901')).toBe(poison);
    const row = await takeCapture(database.db, '901');
    expect(row).toMatchObject({ capture: { id: poison, judgementStarts: 3 } });
  });
});

describe('a full queue', () => {
  test('refuses the account that fills it, and has room for one with less than its share', async () => {
    const [many, one, few] = accounts as [string, string, string];
    const full = (account: string) => isQueueFull(database.db, account, 6);
    for (let count = 0; count < 6; count++) {
      expect(await full(many)).toBe(false);
      await arrive(many);
    }
    expect(await full(many)).toBe(true);
    // Half of the six.
    for (let count = 0; count < 3; count++) {
      expect(await full(one)).toBe(false);
      await arrive(one);
    }
    expect(await full(one)).toBe(true);
    for (let count = 0; count < 2; count++) {
      expect(await full(few)).toBe(false);
      await arrive(few);
    }
    expect(await full(few)).toBe(true);
    expect(await isQueueFull(database.db, many, 100)).toBe(false);
  });
});
