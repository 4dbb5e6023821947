// How people fare: who counts, first tries against all, seconds, and what is bounded.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { hashSecret } from '../../../src/base/secrets.ts';
import { createBrowserNotes } from '../../../src/console/tables/browsers.ts';
import { readFigures } from '../../../src/console/tables/figures.ts';
import { countRecentOutcomes, OUTCOMES_OF } from '../../../src/console/tables/recent-outcomes.ts';
import { createConsoleStore } from '../../../src/console/tables/store.ts';
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { ConsoleScope } from '../../../src/contract/console-overview.ts';
import { createDatabase, type Database } from '../../../src/storage/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const ACCOUNT = newId('account');
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  await sql`insert into account (id, name, display_name, wrapped_key, master_key_id)
    values (${ACCOUNT}, 'counted', 'Counted', '', 'k')`.execute(db);
});
afterEach(() => db.deleteFrom('challenge').execute());
afterAll(() => database.drop());

/** Noon of a day (UTC), so that no midnight changes it. */
const noon = (daysAgo: number) =>
  new Date(Math.floor(Date.now() / 86_400_000 - daysAgo) * 86_400_000 + 43_200_000);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

interface Made {
  readonly daysAgo?: number;
  readonly sandbox?: boolean;
  /** States of its captures, in order. */
  readonly tries?: readonly string[];
  /** Why the rejected ones were sent back, in order. */
  readonly reasons?: readonly string[];
  /** What each try left out, in order; absent: nothing. */
  readonly ways?: readonly (AccessibleWay | undefined)[];
  /** Which of them was not the person's: the service lost it. */
  readonly returned?: number;
  readonly level?: string;
  readonly result?: 'pass' | 'fail' | null;
  readonly status?: 'completed' | 'expired' | 'cancelled' | 'initiated';
  readonly seconds?: number;
  readonly userAgent?: string;
}

/** Resolves with the token of its link. */
async function add(made: Made = {}): Promise<string> {
  const { daysAgo = 1, sandbox = false, tries = ['judged'], level = 'standard', seconds = 20 } = made;
  const { status = 'completed', result = status === 'completed' ? 'pass' : null } = made;
  const [id, token, at] = [newId('challenge'), randomBytes(32).toString('base64url'), noon(daysAgo)];
  const closed = status === 'initiated' ? null : new Date(at.getTime() + seconds * 1000);
  await db
    .insertInto('challenge')
    .values({
      id,
      account_id: ACCOUNT,
      sandbox,
      public_request: JSON.stringify({ liveness_level: 'quick' }),
      sealed_request: Buffer.of(),
      sealed_result: result === null ? null : Buffer.of(1),
      link_hash: hashSecret(token),
      status,
      overall_result: result,
      created_at: at,
      initiated_at: at,
      expires_at: at,
      closed_at: closed,
      closed_reason: status === 'initiated' ? null : status,
    })
    .execute();
  for (const [attempt, state] of tries.entries())
    await sql`insert into capture (id, challenge_id, account_id, attempt, state, level, script, commit_deadline, submitted_at,
        rejected_reason, try_returned)
      values (${newId('capture')}, ${id}, ${ACCOUNT}, ${attempt}, ${state}, ${level},
        ${JSON.stringify({ way: made.ways?.[attempt] })}, now(), ${at},
        ${state === 'rejected' ? (made.reasons?.[attempt] ?? 'too_dark') : null}, ${attempt === made.returned})`.execute(
      db,
    );
  if (made.userAgent !== undefined) await createBrowserNotes(db)(token, made.userAgent);
  return token;
}

async function count(scope: ConsoleScope = 'live') {
  const rows = (await countRecentOutcomes(db, scope))!;
  return (by: string) => rows.filter((row) => row.by === by).map(({ by: _, ...row }) => row);
}

it('people count who recorded and are done: at the first try, and with any', async () => {
  await add({ seconds: 10 });
  await add({ seconds: 20 });
  await add({ tries: ['rejected', 'abandoned', 'judged'], seconds: 60 });
  await add({ result: 'fail', seconds: 500 });
  // Sent back, and gone.
  await add({ tries: ['rejected'], status: 'expired' });
  // The service lost a recording: the next one is the first, and without one nobody was sent back.
  await add({ tries: ['rejected', 'judged'], returned: 0, seconds: 20 });
  await add({ tries: ['rejected'], returned: 0, status: 'expired' });
  // Never recorded, cancelled by the client, or still at it.
  await add({ tries: [], status: 'expired' });
  await add({ tries: ['rejected'], status: 'cancelled' });
  await add({ tries: ['rejected', 'issued'], status: 'initiated' });
  expect((await count())('all')).toEqual([
    {
      name: 'all',
      people: 6,
      passed_first: 3,
      passed: 4,
      median_seconds: 20,
      p90_seconds: expect.closeTo(48),
    },
  ]);
});

it('by day, level and browser', async () => {
  await add({ daysAgo: 2, level: 'high', userAgent: CHROME });
  await add({ daysAgo: 29, userAgent: 'curl/8' });
  await add({ daysAgo: 1, result: 'fail' });
  await add({ daysAgo: 30 });
  const shown = await count();
  const one = { people: 1, passed_first: 1, passed: 1, median_seconds: 20, p90_seconds: 20 };
  const failed = { people: 1, passed_first: 0, passed: 0, median_seconds: null, p90_seconds: null };
  expect(shown('day')).toEqual([
    { name: dayOf(noon(29)), ...one },
    { name: dayOf(noon(2)), ...one },
    { name: dayOf(noon(1)), ...failed },
  ]);
  expect(shown('browser')).toEqual([
    { name: 'chrome', ...one },
    { name: 'other', ...one },
    { name: 'unknown', ...failed },
  ]);
  expect(shown('level')).toMatchObject([
    { name: 'high', people: 1 },
    { name: 'standard', people: 2, passed: 1 },
  ]);
});

it('by the reason for which the first try was sent back, whatever became of the later ones', async () => {
  await add();
  await add({ tries: ['rejected', 'judged'], seconds: 40 });
  await add({
    tries: ['rejected', 'rejected', 'judged'],
    reasons: ['too_dark', 'smile_missing'],
    seconds: 60,
  });
  await add({ tries: ['rejected'], status: 'expired' });
  await add({ tries: ['rejected', 'judged'], reasons: ['smile_missing'], result: 'fail' });
  // The first was lost by the service, so that what counts as the first passed.
  await add({ tries: ['rejected', 'judged'], reasons: ['not_judged'], returned: 0 });
  expect((await count())('reason')).toEqual([
    { name: 'smile_missing', people: 1, passed_first: 0, passed: 0, median_seconds: null, p90_seconds: null },
    { name: 'too_dark', people: 3, passed_first: 0, passed: 2, median_seconds: 50, p90_seconds: 58 },
  ]);
});

it('what was left out and why recordings were sent back are counted in challenges, not in recordings', async () => {
  await add({
    tries: ['rejected', 'rejected', 'judged'],
    ways: ['passive', 'without_smile', 'without_smile'],
  });
  await add({ ways: ['without_smile'], result: 'fail' });
  await add({ ways: ['without_turns'] });
  // Judged whole after all, never judged, and nothing left out.
  await add({ tries: ['rejected', 'judged'], ways: ['without_turns'] });
  await add({ tries: ['rejected'], ways: ['passive'], status: 'expired', reasons: ['smile_missing'] });
  await add({ tries: ['issued'], ways: ['passive'], status: 'initiated' });
  await add();
  const { funnel } = await readFigures(db);
  expect(funnel.ways).toEqual([
    { way: 'without_smile', count: 2 },
    { way: 'without_turns', count: 1 },
  ]);
  expect(funnel.sent_back).toEqual([
    { reason: 'too_dark', count: 2 },
    { reason: 'smile_missing', count: 1 },
  ]);
});

it('the sandbox’s are counted when they are asked for, although nobody records there', async () => {
  for (let n = 0; n < 200; n++)
    await add({ daysAgo: 0, sandbox: true, tries: [], result: n < 150 ? 'pass' : 'fail' });
  for (let n = 0; n < 2; n++) await add({ daysAgo: 0 });
  const store = createConsoleStore(db);
  for (const [scope, people, passed] of [
    ['live', 2, 2],
    ['sandbox', 200, 150],
    ['both', 202, 152],
  ] as const) {
    expect((await count(scope))('all')).toMatchObject([{ people, passed, passed_first: passed }]);
    expect((await store.countDays(scope))!.at(-1)).toMatchObject({ created: people, passed });
    const { funnel } = await readFigures(db, scope);
    expect(funnel).toMatchObject({ created: people, recorded: people, judged: people, passed });
    expect(await store.listJudgedIds(1_000, scope)).toHaveLength(people);
  }
});

it('a day counts its newest, so that no day hides another', async () => {
  for (let n = 0; n < OUTCOMES_OF + 5; n++) await add({ daysAgo: 3, result: n < 5 ? 'fail' : 'pass' });
  await add({ daysAgo: 4 });
  const [four, three] = (await count())('day');
  expect(four).toMatchObject({ name: dayOf(noon(4)), people: 1 });
  expect(three).toMatchObject({ name: dayOf(noon(3)), people: OUTCOMES_OF });
});

it('the browser that began a challenge stays, and one that nobody has is not noted', async () => {
  const note = createBrowserNotes(db);
  await note(await add({ userAgent: CHROME }), 'Firefox/138.0');
  await note('a link that nobody has', CHROME);
  const rows = await db.selectFrom('challenge_browser').select('family').execute();
  expect(rows).toEqual([{ family: 'chrome' }]);
});

it('are null if counting takes longer than a statement may', async () => {
  const impatient = createDatabase(database.url, { statementTimeoutMs: 50 });
  const lock = await db.startTransaction().execute();
  try {
    await sql`lock table challenge in access exclusive mode`.execute(lock);
    expect(await countRecentOutcomes(impatient, 'both')).toBeNull();
  } finally {
    await lock.rollback().execute();
    await impatient.destroy();
  }
});
