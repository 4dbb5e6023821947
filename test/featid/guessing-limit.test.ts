import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countAssets, createStarted, submit } from '../challenge/challenge-rig.ts';
import { createGuessingRig, type GuessingRig, idOf } from './guessing-rig.ts';

let rig: GuessingRig;
beforeAll(async () => {
  rig = await createGuessingRig();
});
afterAll(() => rig.close());

const comparing = (featids: string[]) => ({ liveness_only: false, compare_to_featids: featids });
const fail = async (featid: string, times: number) => {
  for (let time = 0; time < times; time++) await rig.judged([featid], 'mismatch');
};
/** A FeatureID that has just been paused. */
const paused = async () => {
  const featid = await rig.enrol();
  await rig.remember(featid, 4);
  await fail(featid, 1);
  return featid;
};

describe('a challenge without a judgement', () => {
  test('locks nobody out: opened, recording, uploaded, expired, cancelled or erased', async () => {
    const featid = await rig.enrol();
    const created = await Promise.all(Array.from({ length: 40 }, () => rig.create([featid])));
    expect(new Set(created.map((outcome) => outcome.status))).toEqual(new Set(['created']));
    const ids = created.flatMap((each) => (each.status === 'created' ? [each.response.challenge_id] : []));
    for (const id of ids.slice(0, 5)) await rig.services.cancel(rig.caller, id);
    for (const id of ids.slice(5, 10)) await rig.services.erase(rig.caller, id);
    for (let time = 0; time < 6; time++) {
      const { link } = await createStarted(rig, comparing([featid]));
      expect((await rig.services.issueCapture(link)).status).toBe('ok');
    }
    for (let time = 0; time < 6; time++) {
      await submit(rig, (await createStarted(rig, comparing([featid]))).link);
    }
    expect(await rig.waitOf(featid)).toBeNull();
    expect(await rig.judged([featid], 'match')).toMatchObject({ overall: 'pass' });
  });

  test('counts nothing where there was no face to compare', async () => {
    const featid = await rig.enrol();
    for (let time = 0; time < 6; time++) {
      const result = await rig.judged([featid], 'mismatch_not_live', { compared: [] });
      expect(result).toMatchObject({ overall: 'fail', compared: [] });
    }
    expect(await rig.waitOf(featid)).toBeNull();
  });
});

describe('a judged challenge', () => {
  test('counts as a failure of every reference if it does not pass, live or not, and otherwise as none', async () => {
    const outcomes = ['mismatch', 'mismatch_not_live', 'match_not_live'] as const;
    for (const outcome of outcomes) {
      const [one, two] = [await rig.enrol(), await rig.enrol()];
      for (let time = 0; time < 6; time++) await rig.judged([one, two], 'match');
      expect([await rig.waitOf(one), await rig.waitOf(two)], outcome).toEqual([null, null]);
      for (let time = 0; time < 5; time++) await rig.judged([one, two], outcome);
      expect(await rig.waitOf(one), outcome).toBeGreaterThan(0);
      expect(await rig.waitOf(two), outcome).toBeGreaterThan(0);
    }
  });

  test('reveals nothing about a paused FeatureID, not even a match, and says so', async () => {
    const [free, blocked] = [await rig.enrol(), await rig.enrol()];
    const early = await rig.waiting([blocked, free], 3);
    await rig.remember(blocked, 4);
    await fail(blocked, 1);
    for (const outcome of ['match', 'match_not_live', 'mismatch'] as const) {
      const { overall, compared, reasons } = await rig.judge(early.pop()!, outcome);
      expect(compared.map(({ featid }) => featid)).toEqual([free]);
      expect(overall).toBe('fail');
      expect(reasons).toContain('featid_paused');
    }
    // Those three are no failures of the FeatureID that was not compared: its pause is still the first one.
    expect(await rig.waitOf(blocked)).toBeLessThanOrEqual(60);
    expect((await rig.stateOf(free)).failed_at).toHaveLength(3);
  });

  test('reveals nothing about a FeatureID that was revoked after the challenge was opened, and says so', async () => {
    const [free, gone] = [await rig.enrol(), await rig.enrol()];
    const [both, alone] = [await rig.waiting([gone, free], 1), await rig.waiting([gone], 1)];
    await rig.featids.revoke(rig.caller.accountId, gone, 'operator');
    const { overall, compared, reasons } = await rig.judge(both[0]!, 'match');
    expect(compared.map(({ featid }) => featid)).toEqual([free]);
    expect([overall, reasons]).toEqual(['fail', ['featid_revoked']]);
    expect(await rig.describedIn(both[0]!.challengeId)).toEqual([free]);
    expect(await rig.judge(alone[0]!, 'match')).toEqual({
      overall: 'fail',
      compared: [],
      reasons: ['featid_revoked'],
    });
  });

  test('accepts no recording while all of its FeatureIDs are paused, and accepts one if any is not', async () => {
    const [one, two] = [await rig.enrol(), await rig.enrol()];
    const both = await createStarted(rig, comparing([one, two]));
    await rig.remember(one, 4);
    await fail(one, 1);
    expect((await rig.services.issueCapture(both.link)).status).toBe('ok');
    await rig.remember(two, 4);
    await fail(two, 1);
    const issued = await rig.services.issueCapture(both.link);
    expect(issued).toEqual({ status: 'paused', retryAfterSeconds: expect.any(Number) });
    expect(issued.status === 'paused' && issued.retryAfterSeconds).toBeLessThanOrEqual(60);
    await rig.backdate([one, two], 2);
    expect((await rig.services.issueCapture(both.link)).status).toBe('ok');
    const livenessOnly = await createStarted(rig);
    expect((await rig.services.issueCapture(livenessOnly.link)).status).toBe('ok');
  });

  test('still counts as a failure after it was erased', async () => {
    const featid = await rig.enrol();
    for (let time = 0; time < 5; time++) {
      const [one] = await rig.waiting([featid], 1);
      await rig.judge(one!, 'mismatch');
      await rig.services.erase(rig.caller, one!.challengeId);
    }
    expect(await rig.waitOf(featid)).toBeGreaterThan(0);
  });

  test('stores its frame once during a pause, and none where another worker was first', async () => {
    const featid = await rig.enrol();
    const [one] = await rig.waiting([featid], 1);
    await rig.remember(featid, 4);
    await fail(featid, 1);
    const before = await countAssets(rig);
    const frame = { bestFrame: Buffer.from('BM') };
    const settled = await Promise.allSettled([1, 2, 3].map(() => rig.judge(one!, 'mismatch', frame)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await countAssets(rig)).toBe(before + 1);
  });
});

describe('pauses', () => {
  test('begin at the fifth failure, double up to an hour, and are forgotten after a day', async () => {
    const featid = await rig.enrol();
    await fail(featid, 4);
    expect(await rig.waitOf(featid)).toBeNull();
    await fail(featid, 1);
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      waits.push(Math.round((await rig.waitOf(featid))! / 60));
      await rig.backdate([featid], 61);
      expect(await rig.waitOf(featid)).toBeNull();
      await rig.remember(featid, 4);
      await fail(featid, 1);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    await rig.backdate([featid], 25 * 60 + 61);
    await rig.remember(featid, 4);
    await fail(featid, 1);
    expect(await rig.waitOf(featid)).toBeLessThanOrEqual(60);
  });

  test('do not count failures older than fifteen minutes', async () => {
    const featid = await rig.enrol();
    await rig.remember(featid, 4);
    await rig.backdate([featid], 16);
    await fail(featid, 4);
    expect(await rig.waitOf(featid)).toBeNull();
  });

  test('are reported for each item at creation, which then creates nothing; its key replays the refusal', async () => {
    const [free, blocked] = [await rig.enrol(), await paused()];
    const outcome = await rig.create([free, blocked, free, blocked], rig.caller, 'key-1');
    expect(outcome).toMatchObject({
      status: 'paused',
      faults: [
        { pointer: '/compare_to_featids/1', code: 'featid_paused' },
        { pointer: '/compare_to_featids/3', code: 'featid_paused' },
      ],
    });
    await rig.featids.unlock(rig.caller.accountId, blocked, 'operator');
    const again = (key: string) => rig.create([free, blocked, free, blocked], rig.caller, key);
    expect(await again('key-1')).toEqual({ ...outcome, replayed: true });
    const created = await again('key-2');
    expect(created).toMatchObject({ status: 'created', replayed: false });
    await rig.remember(blocked, 4);
    await fail(blocked, 1);
    // A creation is replayed, whatever has become of its FeatureIDs.
    expect(await again('key-2')).toEqual({ ...created, replayed: true });
  });

  test('end at once by unlocking, which is audited', async () => {
    const featid = await paused();
    expect(await rig.featids.unlock(rig.caller.accountId, featid, 'key_x')).toEqual({ ok: true });
    expect(await rig.waitOf(featid)).toBeNull();
    expect(await rig.judged([featid], 'match')).toMatchObject({ overall: 'pass' });
    const audit = rig.database.db
      .selectFrom('audit')
      .select(['actor', 'action'])
      .where('subject', '=', idOf(featid));
    expect(await audit.execute()).toEqual([{ actor: 'key_x', action: 'featid.unlocked' }]);
  });

  test('can neither be caused nor ended by another account', async () => {
    const featid = await rig.enrol();
    expect((await rig.create([featid], rig.stranger)).status).toBe('invalid');
    await rig.remember(featid, 4);
    await fail(featid, 1);
    const refused = await rig.featids.unlock(rig.stranger.accountId, featid, 'operator');
    expect(refused).toEqual({ ok: false, code: 'featid_unknown' });
    expect(await rig.waitOf(featid)).toBeGreaterThan(0);
  });
});
