// How people fared, counted from rows: who recorded themselves, passed at the first try, at all, or gave up.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { countOutcomes, countSentBack, type Outcomes } from '../../../src/console/tables/outcomes.ts';
import { createDatabase, type Database } from '../../../src/storage/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const ACCOUNT = newId('account');
const WEEK_1 = new Date('2026-01-01T12:00:00Z');
const WEEK_2 = new Date('2026-01-05T00:30:00Z');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  await sql`insert into account (id, name, display_name, wrapped_key, master_key_id)
    values (${ACCOUNT}, 'counted', 'Counted', '', 'k')`.execute(db);
  await fill();
});
afterAll(() => database.drop());

interface Took {
  readonly at?: Date;
  readonly level?: string;
  readonly seconds?: number;
  readonly sandbox?: boolean;
  readonly comparing?: boolean;
  readonly browser?: string;
}

/** A challenge: what became of it, and of each recording. A reason with `!` is that of one that the service lost. */
async function add(
  ended: 'pass' | 'fail' | 'expired' | 'cancelled' | 'open',
  reasons: readonly string[],
  took: Took = {},
) {
  const { at = WEEK_1, level = 'standard', seconds = 20, sandbox = false, comparing = false } = took;
  const id = newId('challenge');
  const status = {
    pass: 'completed',
    fail: 'completed',
    open: 'initiated',
    expired: 'expired',
    cancelled: 'cancelled',
  };
  const closed = ended === 'open' ? null : at;
  await sql`insert into challenge (id, account_id, sandbox, status, closed_reason, public_request, sealed_request, link_hash,
      overall_result, initiated_at, expires_at, closed_at)
    values (${id}, ${ACCOUNT}, ${sandbox}, ${status[ended]}, ${closed && status[ended]},
      ${JSON.stringify({ liveness_only: !comparing })}, '', ${randomBytes(32)}, ${ended === 'pass' || ended === 'fail' ? ended : null},
      ${at}::timestamptz - ${seconds} * interval '1 second', ${at}, ${closed})`.execute(db);
  if (took.browser)
    await sql`insert into challenge_browser (challenge_id, family) values (${id}, ${took.browser})`.execute(
      db,
    );
  const judged = ended === 'pass' || ended === 'fail' ? [null] : [];
  for (const [index, reason] of [...reasons, ...judged].entries())
    await sql`insert into capture (id, challenge_id, account_id, attempt, state, level, script, commit_deadline, rejected_reason,
        try_returned)
      values (${newId('capture')}, ${id}, ${ACCOUNT}, ${index + 1}, ${reason === null ? 'judged' : 'rejected'},
        ${reason !== null && index === 0 ? 'quick' : level}, '{}', now(), ${reason?.replace('!', '') ?? null},
        ${reason?.endsWith('!') ?? false})`.execute(db);
}

async function fill(): Promise<void> {
  await add('pass', [], { seconds: 10 });
  await add('pass', [], { seconds: 20, level: 'high', at: WEEK_2, comparing: true, browser: 'firefox' });
  await add('pass', ['too_dark'], { seconds: 60 });
  // Lost by the service: still at the first try.
  await add('pass', ['video_unreadable!'], { seconds: 30 });
  await add('fail', []);
  await add('fail', ['too_dark', 'too_far']);
  await add('expired', ['too_far']);
  // Nobody recorded anything, or it has not ended, or nobody's judgement counts.
  await add('expired', []);
  await add('expired', ['video_unreadable!']);
  await add('open', ['too_dark']);
  await add('cancelled', ['too_dark']);
  await add('pass', [], { sandbox: true });
}

const named = (rows: readonly Outcomes[] | null, by: string, name: string) =>
  rows!.find((row) => row.by === by && row.name === name);

it('counts people, their first and other tries, who gave up, and the seconds of those who passed', async () => {
  const rows = await countOutcomes(db, null);
  expect(named(rows, 'all', 'all')).toEqual({
    by: 'all',
    name: 'all',
    people: 7,
    passed_first: 3,
    passed: 4,
    gave_up: 1,
    median_seconds: 25,
    p90_seconds: expect.closeTo(51),
  });
});

it('counts by level of the last recording, browser, week and mode', async () => {
  const rows = await countOutcomes(db, null);
  expect(rows!.map(({ by, name, people }) => [by, name, people])).toEqual([
    ['all', 'all', 7],
    ['browser', 'firefox', 1],
    ['browser', 'not recorded', 6],
    ['level', 'high', 1],
    ['level', 'quick', 1],
    ['level', 'standard', 5],
    ['mode', 'comparison', 1],
    ['mode', 'liveness only', 6],
    ['week', '2026-W01', 6],
    ['week', '2026-W02', 1],
  ]);
  expect(named(rows, 'week', '2026-W02')).toMatchObject({ passed_first: 1, gave_up: 0, median_seconds: 20 });
});

it('counts what ended since a date only', async () => {
  const since = new Date('2026-01-04T00:00:00Z');
  expect(named(await countOutcomes(db, since), 'all', 'all')).toMatchObject({ people: 1, passed: 1 });
  expect(await countSentBack(db, since)).toEqual([]);
  expect(await countOutcomes(db, new Date('2999-01-01'))).toEqual([]);
});

it('counts whom each reason sent back, by the same ways, but for recordings that the service lost', async () => {
  await add('expired', ['too_far', 'too_far']);
  const rows = (await countSentBack(db, null))!;
  const counts = (by: string, name: string) =>
    rows.flatMap((row) => (row.by === by && row.name === name ? [[row.reason, row.count, row.people]] : []));
  expect(counts('all', 'all')).toEqual([
    ['too_far', 3, 8],
    ['too_dark', 2, 8],
  ]);
  expect(counts('level', 'standard')).toEqual([
    ['too_dark', 2, 6],
    ['too_far', 2, 6],
  ]);
  expect(counts('level', 'quick')).toEqual([['too_far', 1, 1]]);
  expect([...new Set(rows.map(({ by }) => by))]).toEqual(['all', 'browser', 'level', 'mode', 'week']);
});

it('is null if counting takes longer than a statement may', async () => {
  const impatient = createDatabase(database.url, { statementTimeoutMs: 50 });
  const lock = await db.startTransaction().execute();
  try {
    await sql`lock table challenge in access exclusive mode`.execute(lock);
    expect(await countOutcomes(impatient, null)).toBeNull();
    expect(await countSentBack(impatient, null)).toBeNull();
  } finally {
    await lock.rollback().execute();
    await impatient.destroy();
  }
});
