// The guessing limit under attack: any number of concurrent judgements reveal no more than sequential ones, in whatever
// order they end, and challenges that others leave open do not lock out the owner.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createGuessingRig,
  type GuessingRig,
  type Outcome,
  type Waiting,
} from '../../featid/guessing-rig.ts';

const ALLOWANCE = 5;

let rig: GuessingRig;
beforeAll(async () => {
  rig = await createGuessingRig();
});
afterAll(() => rig.close());

test('two hundred open challenges, judged at once, reveal five guesses', async () => {
  const featid = await rig.enrol();
  const open = await rig.waiting([featid], 200);
  const results = await Promise.all(
    open.map((each, at) => rig.judge(each, at % 2 ? 'mismatch' : 'mismatch_not_live')),
  );
  expect(results.filter(({ compared }) => compared.length > 0)).toHaveLength(ALLOWANCE);
  const silent = results.filter(({ compared }) => compared.length === 0);
  expect(silent.every(({ overall }) => overall === 'fail')).toBe(true);
  expect(silent.every(({ reasons }) => reasons.includes('featid_paused'))).toBe(true);
  expect(await rig.stateOf(featid)).toEqual({ pauses: 1, failed_at: [], is_paused: true });
}, 60_000);

test('an hour of continuous attack reveals thirty guesses, and the owner only waits for the pauses to end', async () => {
  const featid = await rig.enrol();
  let guesses = 0;
  let pausedMinutes = 0;
  for (let minute = 0; minute < 60; minute++) {
    const isPaused = (await rig.waitOf(featid)) !== null;
    if (isPaused) pausedMinutes += 1;
    // The owner comes first in every minute, and gets the match whenever there is no pause.
    else expect(await rig.judged([featid], 'match')).toMatchObject({ overall: 'pass' });
    if (!isPaused) {
      const open = await rig.waiting([featid], 8);
      const results = await Promise.all(open.map((each) => rig.judge(each, 'mismatch_not_live')));
      guesses += results.filter(({ compared }) => compared.length > 0).length;
    }
    await rig.backdate([featid], 1);
  }
  // Pauses of 1, 2, 4, 8, 16 and 32 minutes, each after five guesses.
  expect(guesses).toBe(30);
  expect(pausedMinutes).toBeLessThan(60);
  expect(60 - pausedMinutes).toBeGreaterThanOrEqual(6);
}, 60_000);

/** A step: judgements that end at the same time, time that passes, or an unlock. */
interface Batch {
  readonly judgements: readonly { readonly featids: readonly number[]; readonly outcome: Outcome }[];
}
type Step = Batch | { readonly minutes: number } | { readonly unlock: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      judgements: fc.array(
        fc.record({
          featids: fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 }),
          outcome: fc.constantFrom<Outcome>('match', 'mismatch', 'match_not_live', 'mismatch_not_live'),
        }),
        { minLength: 1, maxLength: 8 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ minutes: fc.constantFrom(1, 2, 16, 70) }) },
  { weight: 1, arbitrary: fc.record({ unlock: fc.nat({ max: 2 }) }) },
);

test('no interleaving of judgements reveals more than the allowance, or withholds a result before it is used up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const featids = [await rig.enrol(), await rig.enrol(), await rig.enrol()];
      for (const each of steps) {
        if ('minutes' in each) await rig.backdate(featids, each.minutes);
        else if ('unlock' in each)
          await rig.featids.unlock(rig.caller.accountId, featids[each.unlock]!, 'operator');
        else await checkBatch(featids, each);
      }
    }),
    { numRuns: 15 },
  );
}, 60_000);

/** Ends the judgements of a batch at the same time and compares the results with the states before and after. */
async function checkBatch(featids: string[], { judgements }: Batch): Promise<void> {
  const before = await Promise.all(featids.map(rig.stateOf));
  const open: { each: Waiting; outcome: Outcome }[] = [];
  for (const { featids: named, outcome } of judgements) {
    const able = named.filter((at) => !before[at]!.is_paused).map((at) => featids[at]!);
    // Creation refuses a paused FeatureID, so name only the others. There may be none.
    if (able.length === 0) continue;
    for (const each of await rig.waiting(able, 1)) open.push({ each, outcome });
  }
  const results = await Promise.all(
    open.map(async ({ each, outcome }) => ({ each, ...(await rig.judge(each, outcome)) })),
  );
  for (const [at, featid] of featids.entries()) {
    const after = await rig.stateOf(featid);
    const concerned = results.filter(({ each }) => each.featids.includes(featid));
    const revealed = concerned.filter((result) => result.compared.some((one) => one.featid === featid));
    const failures = revealed.filter(({ overall }) => overall === 'fail').length;
    const recent = before[at]!.failed_at.filter((time) => time.getTime() > Date.now() - 15 * 60_000).length;
    expect(recent + failures).toBeLessThanOrEqual(ALLOWANCE);
    if (revealed.length < concerned.length) expect(after.is_paused).toBe(true);
    if (failures > 0 && recent + failures === ALLOWANCE) {
      expect(after).toEqual({ pauses: after.pauses, failed_at: [], is_paused: true });
    } else {
      expect(after.is_paused).toBe(before[at]!.is_paused);
      expect(revealed.length).toBe(concerned.length);
    }
  }
}
