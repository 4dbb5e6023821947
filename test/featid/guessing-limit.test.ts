// The guessing limit on a real database: parallel creation, failures, pauses, unlock, and who can bring them about.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireDue } from '../../src/challenge/expire-due.ts';
import type { Caller, CreateOutcome } from '../../src/challenge/services.ts';
import { type Judgement, settleJudgement } from '../../src/challenge/settle-judgement.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import type { FaceTemplate } from '../../src/featid/template.ts';
import {
  createRig,
  createStarted,
  expireIn,
  judgementOf,
  type Rig,
  someTemplate,
  submit,
} from '../challenge/challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

async function enrol(accountId = rig.caller.accountId): Promise<string> {
  const { featid, row } = await rig.featids.create({
    accountId,
    challengeId: null,
    template: someTemplate(),
  });
  const { id, pack, layout, sealedTemplate: sealed_template, keyCheck: key_check } = row;
  await rig.database.db
    .insertInto('featid')
    .values({ id, account_id: accountId, pack, layout, sealed_template, key_check })
    .execute();
  return featid;
}

const comparing = (featids: string[]) => ({
  liveness_only: false,
  require_consent: false,
  compare_to_featids: featids,
});
const create = (featids: string[], caller: Caller = rig.caller, key: string | null = null) =>
  rig.services.create(caller, comparing(featids), key);
const statuses = (outcomes: CreateOutcome[]) => outcomes.map((outcome) => outcome.status).sort();

/** Takes a challenge to its end with a judgement; `compared` says how each reference did. */
async function judged(
  featids: string[],
  compared: ('pass' | 'fail')[],
  changes: Partial<Judgement<FaceTemplate>> = {},
): Promise<void> {
  const { link } = await createStarted(rig, comparing(featids));
  const captureId = await submit(rig, link);
  const found = await rig.parts.store.findCapture(captureId);
  const comparisons = compared.map((result, index) => ({
    featid: featids[index]!,
    score: result === 'pass' ? 0.9 : 0.1,
    result,
    likeness_features: {},
  }));
  const settled = await settleJudgement(
    rig.parts,
    found!,
    judgementOf({ compared: comparisons, ...changes }),
  );
  expect(settled).toBe('completed');
}

/** Moves everything that the limit remembers of a FeatureID into the past. */
async function letPass(featid: string, minutes: number): Promise<void> {
  await sql`update featid set
    failed_at = array(select t - ${minutes} * interval '1 minute' from unnest(failed_at) as t),
    paused_until = paused_until - ${minutes} * interval '1 minute'
    where id = ${parseFeatid(featid)!.id}`.execute(rig.database.db);
}
/** Four failures of this moment, without the challenges that would bring them about. */
async function bringToTheBrink(featid: string): Promise<void> {
  await sql`update featid set failed_at = array_fill(now(), array[4]) where id = ${parseFeatid(featid)!.id}`.execute(
    rig.database.db,
  );
}
const fail = async (featid: string, times: number) => {
  for (let time = 0; time < times; time++) await judged([featid], ['fail']);
};
const waitOf = async (featid: string): Promise<number | null> => {
  const outcome = await create([featid]);
  if (outcome.status === 'created') {
    await rig.services.cancel(rig.caller, outcome.response.challenge_id);
    return null;
  }
  if (outcome.status !== 'paused') throw new Error(outcome.status);
  return outcome.retryAfterSeconds;
};

describe('reservation', () => {
  test('thirty creations at once get five; cancelling one gives its guess back', async () => {
    const featid = await enrol();
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => create([featid])));
    const created = outcomes.filter((outcome) => outcome.status === 'created');
    expect(created).toHaveLength(5);
    const paused = outcomes.find((outcome) => outcome.status === 'paused');
    expect(paused).toMatchObject({ faults: [{ pointer: '/compare_to_featids/0', code: 'featid_paused' }] });
    await rig.services.cancel(rig.caller, created[0]!.response.challenge_id);
    expect(statuses(await Promise.all([create([featid]), create([featid])]))).toEqual(['created', 'paused']);
  });

  test('five links that nobody opens hold it until they expire, not for good', async () => {
    const featid = await enrol();
    const five = await Promise.all(Array.from({ length: 5 }, () => create([featid])));
    for (const outcome of five) {
      if (outcome.status === 'created') await expireIn(rig, outcome.response.challenge_id, 20);
    }
    const sixth = await create([featid]);
    expect(sixth).toMatchObject({ status: 'paused' });
    // The client is told when the first of them ends.
    expect(sixth.status === 'paused' && sixth.retryAfterSeconds).toBeLessThanOrEqual(21);
    for (const outcome of five) {
      if (outcome.status === 'created') await expireIn(rig, outcome.response.challenge_id, -1);
    }
    await expireDue({ ...rig.parts, sweep: rig.sweep });
    expect((await create([featid])).status).toBe('created');
  });

  test('lists that overlap in any order neither lock each other out nor get more', async () => {
    const [one, two, three] = [await enrol(), await enrol(), await enrol()];
    const lists = [
      [one, two, three],
      [three, one, two],
      [two, three],
      [three, two, one, one],
    ];
    const outcomes = await Promise.all(Array.from({ length: 24 }, (_, index) => create(lists[index % 4]!)));
    expect(outcomes.filter((outcome) => outcome.status === 'created')).toHaveLength(5);
    expect(new Set(statuses(outcomes))).toEqual(new Set(['created', 'paused']));
  });

  test('is all or nothing, and names only those that wait', async () => {
    const [free, full] = [await enrol(), await enrol()];
    for (let time = 0; time < 5; time++) await create([full]);
    const outcome = await create([free, full, free, full]);
    expect(outcome).toMatchObject({
      status: 'paused',
      faults: [{ pointer: '/compare_to_featids/1' }, { pointer: '/compare_to_featids/3' }],
    });
    const rows = rig.database.db
      .selectFrom('featid_reservation')
      .selectAll()
      .where('featid_id', '=', parseFeatid(free)!.id);
    expect(await rows.execute()).toEqual([]);
  });

  test('a replay reserves nothing; a refusal is not kept for its key', async () => {
    const featid = await enrol();
    const first = await create([featid], rig.caller, 'key-1');
    const replays = await Promise.all([1, 2, 3].map(() => create([featid], rig.caller, 'key-1')));
    expect([first, ...replays].map((outcome) => outcome.status)).toEqual([
      'created',
      'replay',
      'replay',
      'replay',
    ]);
    for (let time = 0; time < 4; time++) expect((await create([featid])).status).toBe('created');
    expect((await create([featid], rig.caller, 'key-2')).status).toBe('paused');
    await rig.featids.unlock(rig.caller.accountId, featid, 'operator');
    expect((await create([featid], rig.caller, 'key-2')).status).toBe('created');
  });
});

describe('settlement', () => {
  test('the fifth failure pauses; pauses double up to an hour, and are forgotten after a day', async () => {
    const featid = await enrol();
    await fail(featid, 4);
    expect(await waitOf(featid)).toBeNull();
    await fail(featid, 1);
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      const wait = await waitOf(featid);
      waits.push(Math.round(wait! / 60));
      await letPass(featid, 61);
      expect(await waitOf(featid)).toBeNull();
      await bringToTheBrink(featid);
      await fail(featid, 1);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    await letPass(featid, 25 * 60 + 61);
    await bringToTheBrink(featid);
    await fail(featid, 1);
    expect(await waitOf(featid)).toBeLessThanOrEqual(60);
  });

  test('failures older than fifteen minutes do not count', async () => {
    const featid = await enrol();
    await bringToTheBrink(featid);
    await letPass(featid, 16);
    await fail(featid, 4);
    expect(await waitOf(featid)).toBeNull();
  });

  test('counts for every reference, and only where it was live and none matched', async () => {
    const [one, two] = [await enrol(), await enrol()];
    for (let time = 0; time < 5; time++) await judged([one, two], ['fail', 'pass']);
    const notLive = { liveness: { face: true, smile: true, spoof_result: false, overall: false } };
    for (let time = 0; time < 5; time++) await judged([one, two], ['fail', 'fail'], notLive);
    expect([await waitOf(one), await waitOf(two)]).toEqual([null, null]);
    for (let time = 0; time < 5; time++) await judged([one, two], ['fail', 'fail']);
    expect(await waitOf(one)).toBeGreaterThan(0);
    expect(await waitOf(two)).toBeGreaterThan(0);
  });

  test('five judgements that end at the same moment pause once', async () => {
    const [one, two] = [await enrol(), await enrol()];
    await Promise.all(
      [1, 2, 3, 4, 5].map((time) => judged(time % 2 ? [one, two] : [two, one], ['fail', 'fail'])),
    );
    const rows = await rig.database.db
      .selectFrom('featid')
      .select(['pauses', 'failed_at'])
      .where('id', 'in', [parseFeatid(one)!.id, parseFeatid(two)!.id])
      .execute();
    expect(rows).toEqual([
      { pauses: 1, failed_at: [] },
      { pauses: 1, failed_at: [] },
    ]);
  });

  test('erasing the challenge afterwards does not take its failure back', async () => {
    const featid = await enrol();
    for (let time = 0; time < 5; time++) {
      await judged([featid], ['fail']);
      const { data } = (await rig.services.list(rig.caller.accountId, { limit: 1 })) as {
        data: { challenge_id: string }[];
      };
      await rig.services.erase(rig.caller, data[0]!.challenge_id);
    }
    expect(await waitOf(featid)).toBeGreaterThan(0);
  });
});

describe('unlock', () => {
  test('ends a pause at once and is written down; failures of challenges still open count afterwards', async () => {
    const featid = await enrol();
    await bringToTheBrink(featid);
    await fail(featid, 1);
    expect(await waitOf(featid)).toBeGreaterThan(0);
    expect(await rig.featids.unlock(rig.caller.accountId, featid, 'key_x')).toEqual({ ok: true });
    expect(await waitOf(featid)).toBeNull();
    const audit = rig.database.db
      .selectFrom('audit')
      .select(['actor', 'action'])
      .where('subject', '=', parseFeatid(featid)!.id);
    expect(await audit.execute()).toEqual([{ actor: 'key_x', action: 'featid.unlocked' }]);
  });

  test('frees what open challenges hold; their failures still count', async () => {
    const featid = await enrol();
    const { link } = await createStarted(rig, comparing([featid]));
    for (let time = 0; time < 4; time++) await create([featid]);
    expect(await waitOf(featid)).toBeGreaterThan(0);
    await rig.featids.unlock(rig.caller.accountId, featid, 'operator');
    await bringToTheBrink(featid);
    const found = await rig.parts.store.findCapture(await submit(rig, link));
    const compared = [{ featid, score: 0.1, result: 'fail' as const, likeness_features: {} }];
    await settleJudgement(rig.parts, found!, judgementOf({ compared }));
    expect(await waitOf(featid)).toBeGreaterThan(0);
  });

  test('another account can neither reserve, nor lock, nor unlock', async () => {
    const featid = await enrol();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => create([featid], rig.stranger)));
    expect(new Set(statuses(outcomes))).toEqual(new Set(['invalid']));
    expect(await waitOf(featid)).toBeNull();
    await bringToTheBrink(featid);
    await fail(featid, 1);
    const refused = await rig.featids.unlock(rig.stranger.accountId, featid, 'operator');
    expect(refused).toEqual({ ok: false, code: 'featid_unknown' });
    expect(await waitOf(featid)).toBeGreaterThan(0);
  });
});
