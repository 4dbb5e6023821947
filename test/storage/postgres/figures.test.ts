// Figures maintained by the writes equal a count of the rows: with concurrent writers, rollbacks, erasure and folding.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { deliveryReadings } from '../../../src/storage/postgres/console/deliveries.ts';
import { readFigures, readHeld } from '../../../src/storage/postgres/console/figures.ts';
import type { Database } from '../../../src/storage/postgres/database.ts';
import { durationQuantileMs, foldFigures, trimFigures } from '../../../src/storage/postgres/figures.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const ACCOUNT = newId('account');

async function addAccount(db: Database): Promise<void> {
  await sql`insert into account (id, name, display_name, wrapped_key, master_key_id)
    values (${ACCOUNT}, 'counted', 'Counted', '', 'k')`.execute(db);
}

/** The figures by day, from a count of all rows. */
async function countDays(db: Database) {
  const { rows } = await sql<{ day: string; created: number }>`
    select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, count(h.id)::int as created,
      count(*) filter (where h.overall_result = 'pass')::int as passed,
      count(*) filter (where h.overall_result = 'fail')::int as failed,
      count(*) filter (where h.status = 'expired')::int as expired,
      count(*) filter (where h.status = 'cancelled')::int as cancelled
    from generate_series(date_trunc('day', now(), 'UTC') - interval '29 days', date_trunc('day', now(), 'UTC'),
      interval '1 day') as day
    left join challenge h on h.created_at >= day and h.created_at < day + interval '1 day' and not h.sandbox
    group by day order by day`.execute(db);
  return rows;
}

async function countHeld(db: Database) {
  const { rows } = await sql<{ what: string; count: number; bytes: number | null; oldest: Date | null }>`
    select 'videos' as what, count(*), coalesce(sum(size_bytes), 0)::float8 as bytes, min(created_at) as oldest
      from asset where kind = 'liveness_video'
    union all select 'best_frames', count(*), coalesce(sum(size_bytes), 0)::float8, min(created_at)
      from asset where kind = 'best_frame'
    union all select 'results', count(*), null, min(closed_at) from challenge where sealed_result is not null
    union all select 'templates', count(*), null, min(created_at) from featid where sealed_template is not null
    union all select 'tombstones', count(*), null, min(revoked_at) from featid where sealed_template is null
    union all select 'audit_lines', count(*), null, min(at) from audit`.execute(db);
  return rows.map((row) => ({ ...row, oldest: row.oldest?.toISOString() ?? null }));
}

async function countEndpoints(db: Database) {
  const { rows } = await sql<{ endpoint: string }>`
    select left(encode(endpoint_hash, 'hex'), 12) as endpoint,
      count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'pending')::int as pending,
      count(*) filter (where status = 'failed')::int as failed
    from delivery where created_at >= date_trunc('day', now(), 'UTC') - interval '6 days'
    group by endpoint_hash order by 1`.execute(db);
  return rows;
}

async function expectExact(db: Database): Promise<void> {
  const { days } = await readFigures(db);
  expect(days.map(({ judgement_ms: _, ...day }) => day)).toEqual(await countDays(db));
  const [held, rows] = [await readHeld(db), await countHeld(db)];
  const withoutTimes = (all: readonly { what: string; count: number; bytes: number | null }[]) =>
    all.map(({ what, count, bytes }) => ({ what, count, bytes }));
  expect(withoutTimes(held)).toEqual(withoutTimes(rows));
  // Assets are ordered by their ids, which these writers generate some time before they insert.
  held.forEach(({ oldest, what }, index) => {
    const ms = Date.parse(oldest ?? '') - Date.parse(rows[index]!.oldest ?? '');
    if (oldest !== null || rows[index]!.oldest !== null) expect(Math.abs(ms), what).toBeLessThan(10_000);
  });
  const endpoints = await deliveryReadings(db).listEndpoints();
  const counted = endpoints.map(({ endpoint, delivered, pending, failed }) => ({
    endpoint,
    delivered,
    pending,
    failed,
  }));
  expect(counted.sort((a, b) => a.endpoint.localeCompare(b.endpoint))).toEqual(await countEndpoints(db));
}

/** A step of a transaction. Times are days ago. */
type Step =
  | { do: 'create'; daysAgo: number; sandbox: boolean; receiver: number }
  | { do: 'close'; as: 'completed' | 'expired' | 'cancelled'; result: 'pass' | 'fail' }
  | { do: 'attempt'; outcome: 'delivered' | 'timeout'; ms: number; final: boolean }
  | { do: 'redeliver' | 'purge' | 'enrol' | 'revoke' | 'forget' | 'fold' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    daysAgo: fc.integer({ min: 0, max: 40 }),
    sandbox: fc.boolean(),
    receiver: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({
    do: fc.constant('close' as const),
    as: fc.constantFrom('completed', 'expired', 'cancelled'),
    result: fc.constantFrom('pass', 'fail'),
  }),
  fc.record({
    do: fc.constant('attempt' as const),
    outcome: fc.constantFrom('delivered', 'timeout'),
    ms: fc.integer({ min: 0, max: 20_000 }),
    final: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('redeliver', 'purge', 'enrol', 'revoke', 'forget', 'fold') }),
);

async function take(db: Database, given: Step): Promise<void> {
  const any = (table: string, where: string) =>
    sql`(select id from ${sql.table(table)} where ${sql.raw(where)} limit 3)`;
  switch (given.do) {
    case 'create': {
      const ids = Array.from({ length: 3 }, () => newId('challenge'));
      const at = sql`now() - ${given.daysAgo} * interval '1 day'`;
      await sql`insert into challenge (id, account_id, sandbox, public_request, sealed_request, link_hash, created_at, expires_at)
        select id, ${ACCOUNT}, ${given.sandbox}, '{}', '', sha256(id::bytea), ${at}, now() from unnest(${ids}::text[]) as id`.execute(
        db,
      );
      await sql`insert into capture (id, challenge_id, attempt, state, script, commit_deadline, submitted_at)
        select 'cap' || id, id, 1, 'submitted', '{}', now(), now() from unnest(${ids}::text[]) as id`.execute(
        db,
      );
      await sql`insert into asset (id, account_id, challenge_id, kind, mime_type, size_bytes, sealed_key)
        select kind || id, ${ACCOUNT}, id, kind, 'x', 100 + ${given.receiver}::int, '' from unnest(${ids}::text[]) as id,
          unnest(array['liveness_video', 'best_frame', 'logo']) as kind`.execute(db);
      await sql`insert into delivery (id, account_id, challenge_id, event, endpoint_index, sealed_endpoint, endpoint_hash, created_at)
        select 'msg' || id, ${ACCOUNT}, id, 'complete', 0, '', sha256(${Buffer.from([given.receiver])}), ${at} from unnest(${ids}::text[]) as id`.execute(
        db,
      );
      await sql`insert into audit (actor, action) select 'a', 'b' from unnest(${ids}::text[])`.execute(db);
      return;
    }
    case 'close': {
      const done = given.as === 'completed';
      await sql`with closed as (
          update challenge set status = ${given.as}, closed_reason = ${given.as}, closed_at = now(),
            overall_result = ${done ? given.result : null}, sealed_result = ${done ? Buffer.alloc(1) : null}
          where id in ${any('challenge', 'closed_at is null')} returning id)
        update capture set state = ${done ? 'judged' : 'abandoned'} where challenge_id in (select id from closed)`.execute(
        db,
      );
      return;
    }
    case 'attempt':
      await sql`insert into delivery_attempt (delivery_id, at, duration_ms, outcome)
        select id, now(), ${given.ms}, ${given.outcome} from ${any('delivery', "status = 'pending'")} as due`.execute(
        db,
      );
      if (given.final)
        await sql`update delivery set status = ${given.outcome === 'delivered' ? 'delivered' : 'failed'}, finished_at = now()
          where id in ${any('delivery', "status = 'pending'")}`.execute(db);
      return;
    case 'redeliver':
      await sql`update delivery set status = 'pending', finished_at = null where id in ${any('delivery', "status = 'failed'")}`.execute(
        db,
      );
      return;
    case 'purge':
      await sql`delete from challenge where id in ${any('challenge', 'true')}`.execute(db);
      return;
    case 'enrol':
      await sql`insert into featid (id, account_id, pack, layout, sealed_template)
        values (${randomUUID()}, ${ACCOUNT}, 'p', 1, '')`.execute(db);
      return;
    case 'revoke':
      await sql`update featid set sealed_template = null, revoked_at = now() where id in ${any('featid', 'revoked_at is null')}`.execute(
        db,
      );
      return;
    case 'forget':
      await sql`delete from featid where id in ${any('featid', 'revoked_at is not null')}`.execute(db);
      await sql`delete from asset where id in ${any('asset', 'true')}`.execute(db);
      return;
    case 'fold':
      await foldFigures(db, 7);
      await trimFigures(db, 7);
  }
}

class RolledBack extends Error {}

describe('figures', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await addAccount(database.db);
  });
  afterAll(() => database.drop());

  it('are exact whatever is written concurrently, rolled back or folded', async () => {
    const transaction = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
      rolledBack: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { minLength: 4, maxLength: 12 }), async (transactions) => {
        const { db } = database;
        const outcomes = await Promise.allSettled(
          transactions.map(({ steps, rolledBack }) =>
            db.transaction().execute(async (trx) => {
              for (const each of steps) await take(trx, each);
              if (rolledBack) throw new RolledBack();
            }),
          ),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled' || outcome.reason instanceof RolledBack) continue;
          // Writers in arbitrary order deadlock, and rows change meanwhile. What was rolled back must not count.
          expect(String(outcome.reason)).toMatch(/deadlock detected|violates/);
        }
        await expectExact(db);
      }),
      { numRuns: 25 },
    );
  });

  it('forget what is older than anything shown, in batches, by an index', async () => {
    const { db } = database;
    await sql`insert into figure (kind, at, name, account_id, endpoint_hash, bucket, n, bytes)
      select kind, day_of(now()) - day * interval '1 day', 'trimmed ' || name, '', ''::bytea, 0, name % 2, 0
      from unnest(array['challenge', 'judgement', 'delivery', 'attempt']) kind, generate_series(0, 40) day,
        generate_series(1, 50) name
      union all select 'held', '-infinity', 'trimmed', '', ''::bytea, 0, 1, 0`.execute(db);
    await sql`analyze figure`.execute(db);
    const left = async () => {
      const { rows } = await sql<{ kind: string; days: number }>`
        select kind, count(distinct at)::int as days from figure where name like 'trimmed%' group by kind order by kind`.execute(
        db,
      );
      return Object.fromEntries(rows.map(({ kind, days }) => [kind, days]));
    };
    expect(await trimFigures(db, 50)).toBe(50);
    expect(await left()).toMatchObject({ attempt: 40, challenge: 40 });
    while ((await trimFigures(db, 200)) === 200);
    // Today and the previous days of the window.
    expect(await left()).toEqual({ attempt: 9, challenge: 32, delivery: 9, judgement: 32, held: 1 });
    const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
      explain delete from figure where ctid = any (array(select ctid from figure
        where kind = 'attempt' and at < now() - figure_window('attempt') order by at limit 50))`.execute(db);
    expect(plan.map((line) => line['QUERY PLAN']).join(' ')).not.toContain('Seq Scan');
    await sql`delete from figure where name like 'trimmed%'`.execute(db);
  });

  it('contain the durations of judgements and attempts, even if these are erased', async () => {
    const { db } = database;
    await sql`delete from challenge`.execute(db);
    await sql`delete from figure`.execute(db);
    await sql`delete from figure_change`.execute(db);
    await take(db, { do: 'create', daysAgo: 0, sandbox: false, receiver: 1 });
    await sql`update capture set submitted_at = now() - interval '4 seconds'`.execute(db);
    await take(db, { do: 'attempt', outcome: 'timeout', ms: 1_000, final: false });
    await take(db, { do: 'attempt', outcome: 'delivered', ms: 1_000, final: true });
    await take(db, { do: 'close', as: 'completed', result: 'pass' });
    const [endpoint] = await deliveryReadings(db).listEndpoints();
    expect(endpoint).toMatchObject({ delivered: 3, pending: 0, failed: 0, last_outcome: 'delivered' });
    expect(endpoint!.median_ms).toBeCloseTo(1_000, -2);
    for (const erase of [false, true]) {
      if (erase) await sql`delete from challenge`.execute(db);
      const { judgement_ms, days } = await readFigures(db);
      expect(judgement_ms.n).toBe(3);
      expect(judgement_ms.median! / 4_000).toBeGreaterThan(0.9);
      expect(judgement_ms.median! / 4_000).toBeLessThan(1.3);
      expect(days.at(-1)!.judgement_ms).toBe(judgement_ms.median);
    }
  });
});

it('give quantiles to within a bucket of an eighth of an octave', () => {
  const millis = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(millis, fc.constantFrom(0.5, 0.95), (given, quantile) => {
      const counts = given.map((ms) => ({ bucket: Math.round(8 * Math.log2(ms)), n: 1 }));
      const exact = given.sort((a, b) => a - b)[Math.ceil(given.length * quantile) - 1]!;
      const found = durationQuantileMs(counts, quantile)!;
      expect(Math.abs(found / exact - 1)).toBeLessThan(0.046);
    }),
  );
  expect(durationQuantileMs([], 0.5)).toBeNull();
  expect(durationQuantileMs([{ bucket: 3, n: 0 }], 0.5)).toBeNull();
});
