import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Fault } from '../../src/base/errors.ts';
import { createLogger } from '../../src/base/log.ts';
import { openHints, openResult } from '../../src/challenge/seals.ts';
import { FAULT_PATIENCE_MS } from '../../src/challenge/settings.ts';
import type { RetryCode } from '../../src/evaluation/reasons.ts';
import { createJudgeTask, type JudgeParts } from '../../src/jobs/judge.ts';
import { createJudgementLock } from '../../src/jobs/judgement-lock.ts';
import { createKeptJudgements } from '../../src/jobs/kept-judgements.ts';
import {
  announce,
  beginJudgement,
  commitOf,
  countJobs,
  createRig,
  createStarted,
  deliveriesOf,
  expireIn,
  inTurn,
  notifications,
  type Rig,
  receiptOf,
  resultOf,
  someVideo,
  submit,
} from '../challenge/challenge-rig.ts';
import { passing, SOME_ENGINE } from './judgements.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

type Judge = JudgeParts['judge'];
const judgementLock = createJudgementLock();
/** The outcome of a capture that could not be judged: the try is used. */
const SENT_BACK = { outcome: { status: 'retry', retry: { reason: 'video_unreadable', tries_left: 2 } } };
const observed: Parameters<JudgeParts['observe']>[0][] = [];

/** The task over the real room. Only the evaluation is the test's. */
const taskOver = (judge: Judge, assets = rig.parts.assets) =>
  createJudgeTask({
    ...rig.parts,
    assets,
    featids: rig.featids,
    judgementLock,
    keptJudgements: createKeptJudgements(),
    engine: SOME_ENGINE,
    judge,
    observe: (judged) => observed.push(judged),
    log: createLogger({ level: 'silent', process: 'test' }),
  });

/** Runs one job when it is this capture's turn. */
const run = (captureId: string, judge: Judge, assets = rig.parts.assets) =>
  inTurn(rig, captureId, (id) => taskOver(judge, assets)(null, { id }));

const startsOf = async (captureId: string) =>
  (await rig.parts.store.findCapture(captureId))!.capture.judgementStarts;

const captureRow = (captureId: string) =>
  rig.database.db.selectFrom('capture').selectAll().where('id', '=', captureId).executeTakeFirstOrThrow();

async function storedResult(challengeId: string) {
  const challenge = (await rig.parts.store.find(rig.caller.accountId, challengeId))!;
  return [challenge, challenge.sealedResult!] as const;
}

async function enrol(): Promise<string> {
  const opened = await createStarted(rig);
  await run(await submit(rig, opened.link), async () => passing());
  return (await resultOf(rig, opened)).liveness_result!.liveness_featid!;
}

describe('the judge task', () => {
  it('passes video, script and opened references to the evaluation, and its judgement to the challenge', async () => {
    const enrolled = await enrol();
    const opened = await createStarted(rig, { liveness_only: false, compare_to_featids: [enrolled] });
    const video = someVideo();
    const captureId = await submit(rig, opened.link, video);
    const { performedScript } = (await rig.parts.store.findCapture(captureId))!.capture;
    await run(captureId, async (input) => {
      expect(Buffer.from(input.video as Uint8Array).equals(video)).toBe(true);
      expect(input.script).toEqual(performedScript);
      expect(input.references.map((reference) => reference.id)).toEqual([enrolled]);
      const likeness_features = { nose: 'Pass' as const };
      return passing({
        comparisons: [
          {
            id: enrolled,
            score: 0.777,
            result: 'pass',
            likeness_features,
            regionStrengths: { nose: 0.83 },
          },
        ],
      });
    });
    expect(observed.at(-1)).toMatchObject({
      settlement: 'completed',
      guidance: 'unknown',
      live: true,
      reasons: [],
    });
    const result = await resultOf(rig, opened);
    const kept = await openResult(rig.parts.custody, ...(await storedResult(opened.challengeId)));
    expect(kept.cues).toMatchObject({ region_strengths: { [enrolled]: { nose: 0.83 } } });
    expect(JSON.stringify(result)).not.toMatch(/:0\.83|strength/);
    expect(result.overall_result).toBe('pass');
    expect(result.match_result).toEqual({
      compared_to_featids: [
        {
          featid: enrolled,
          feat_id: enrolled,
          score: 0.78,
          result: 'pass',
          likeness_features: { nose: 'Pass' },
        },
      ],
    });
  });

  it('does nothing the second time, and nothing for a deleted capture', async () => {
    const opened = await createStarted(rig);
    const captureId = await submit(rig, opened.link);
    await run(captureId, async () => passing());
    const before = await resultOf(rig, opened);
    const never: Judge = async () => {
      throw new Error('judged twice');
    };
    await run(captureId, never);
    await run('cap_none', never);
    expect((await resultOf(rig, opened)).events).toEqual(before.events);
  });

  it('leaves out a reference that was revoked meanwhile, and says so', async () => {
    const [kept, revoked] = [await enrol(), await enrol()];
    const opened = await createStarted(rig, { liveness_only: false, compare_to_featids: [revoked, kept] });
    const captureId = await submit(rig, opened.link);
    await rig.featids.revoke(rig.caller.accountId, revoked, 'operator');
    await run(captureId, async ({ references }) => {
      expect(references.map((reference) => reference.id)).toEqual([kept]);
      return passing();
    });
    expect((await resultOf(rig, opened)).diagnostics.reasons).toEqual(['featid_revoked']);
  });

  const sentBack = (reason: RetryCode) => passing({ retryable: { reason } });
  it.each([
    [sentBack('face_missing'), 'face_missing'],
    [sentBack('several_faces'), 'several_faces'],
    [sentBack('too_far'), 'too_far'],
    [sentBack('too_dark'), 'too_dark'],
    [sentBack('too_bright'), 'too_bright'],
    [sentBack('blurred'), 'blurred'],
    [sentBack('not_frontal'), 'turned_away'],
    [sentBack('view_broken'), 'view_broken'],
    [sentBack('too_short'), 'too_short'],
    [sentBack('mouth_covered'), 'mouth_covered'],
    [sentBack('neutral_missing'), 'neutral_missing'],
    [sentBack('too_still'), 'unknown'],
    [sentBack('smile_missing'), 'smile_missing'],
    [sentBack('target_missing'), 'target_missing'],
    [sentBack('too_few_frames'), 'too_short'],
    [sentBack('picture_broken'), 'unknown'],
    [sentBack('pad_pack'), 'unknown'],
    [{ status: 'notJudged', reason: 'decode_failed' } as const, 'video_unreadable'],
    [{ status: 'notJudged', reason: 'too_short' } as const, 'too_short'],
  ])('sends a capture back with a reason that the page knows (%#)', async (judgement, reason) => {
    const opened = await createStarted(rig);
    await run(await submit(rig, opened.link), async () => judgement);
    const outcome = await rig.services.outcome(opened.link, 0);
    expect(outcome).toMatchObject({ outcome: { status: 'retry', retry: { reason, tries_left: 2 } } });
  });

  it('fails an attack at its first try, and reveals nothing to the browser', async () => {
    const opened = await createStarted(rig);
    const attack = passing({
      liveness: { face: true, smile: true, spoof_result: false, overall: false },
      reasons: ['looped'],
      template: null,
    });
    await run(await submit(rig, opened.link), async () => attack);
    expect(await resultOf(rig, opened)).toMatchObject({
      overall_result: 'fail',
      liveness_result: { spoof_result: false, overall: false, liveness_featid: null },
      diagnostics: { reasons: ['looped'] },
    });
    const told = await rig.services.outcome(opened.link, 0);
    expect(told).toMatchObject({ outcome: { status: 'done', retry: null } });
    expect(JSON.stringify(told)).not.toMatch(/loop|spoof|fail|pass/);
  });

  it('writes the way that the person took into receipt and result', async () => {
    const opened = await createStarted(rig);
    const video = someVideo();
    const issued = await announce(rig, opened.link, video, { way: 'without_turns' });
    const { capture_id } = issued;
    await rig.services.commit(opened.link, capture_id, commitOf(video, issued));
    await rig.services.acceptBytes(opened.link, capture_id, 0, async () => video);
    await run(capture_id, async () => passing());
    expect((await receiptOf(rig, opened)).inputs.script?.way).toBe('without_turns');
    expect((await resultOf(rig, opened)).diagnostics.accessible_way).toBe('without_turns');
  });

  it('stores what the page reports of its camera, and trusts none of it', async () => {
    const opened = await createStarted(rig);
    const video = someVideo();
    const issued = await announce(rig, opened.link, video);
    const { capture_id } = issued;
    const hints = { camera_label_virtual: true, focus_lost: true };
    await rig.services.commit(opened.link, capture_id, { ...commitOf(video, issued), hints });
    await rig.services.acceptBytes(opened.link, capture_id, 0, async () => video);
    await run(capture_id, async (input) => {
      expect(JSON.stringify({ ...input, video: null })).not.toMatch(/virtual|focus/);
      return passing();
    });
    expect((await resultOf(rig, opened)).overall_result).toBe('pass');
    const { capture, challenge } = (await rig.parts.store.findCapture(capture_id))!;
    expect(await openHints(rig.parts.custody, challenge, capture)).toMatchObject(hints);
  });

  it('is retried for as long as the machine is at fault, each time with a new job', async () => {
    const opened = await createStarted(rig);
    const captureId = await submit(rig, opened.link);
    const missing: Judge = async () => {
      throw new Fault('TOOL_MISSING', 'ffmpeg');
    };
    const jobs = await countJobs(rig);
    for (let count = 1; count <= 6; count++) {
      await run(captureId, missing);
      expect(await startsOf(captureId)).toBe(0);
      expect(await countJobs(rig)).toBe(jobs + count);
    }
    const row = await captureRow(captureId);
    expect(row.taken_by).toBeNull();
    expect(row.judge_after!.getTime()).toBeGreaterThan(Date.now());
    await run(captureId, async () => passing());
    expect((await resultOf(rig, opened)).overall_result).toBe('pass');
  });

  it('retries after a decoder timeout, without a new recording', async () => {
    const opened = await createStarted(rig);
    const captureId = await submit(rig, opened.link);
    const starved: Judge = async () => ({ status: 'notJudged', reason: 'decode_timeout' });
    for (const starts of [1, 2]) {
      await run(captureId, starved);
      expect(await startsOf(captureId)).toBe(starts);
    }
    await run(captureId, async () => passing());
    expect((await resultOf(rig, opened)).overall_result).toBe('pass');
  });

  it.each([
    'ASSET_MISSING',
    'SEAL_BROKEN',
  ] as const)('asks for another recording in place of a lost video (%s), never failing the check', async (code) => {
    const opened = await createStarted(rig, { notifications });
    const captureId = await submit(rig, opened.link);
    const lost = {
      ...rig.parts.assets,
      get: async () => {
        throw new Fault(code);
      },
    };
    for (let starts = 0; starts < 4; starts++) await run(captureId, async () => passing(), lost);
    expect(await rig.services.outcome(opened.link, 0)).toMatchObject(SENT_BACK);
    await run(await submit(rig, opened.link), async () => passing());
    expect((await resultOf(rig, opened)).overall_result).toBe('pass');
    expect((await deliveriesOf(rig, opened)).map(({ event }) => event)).toEqual(['complete', 'complete']);
  });

  describe('while the asset store is unavailable', () => {
    const away = () => ({
      ...rig.parts.assets,
      get: async () => {
        throw new Fault('ASSET_STORE_FAILED');
      },
    });
    const patienceOver = (captureId: string) =>
      rig.database.db
        .updateTable('capture')
        .set({ fault_since: new Date(Date.now() - FAULT_PATIENCE_MS - 1000) })
        .where('id', '=', captureId)
        .execute();

    it('waits for minutes, with growing pauses, and judges when the store is back', async () => {
      const opened = await createStarted(rig);
      const captureId = await submit(rig, opened.link);
      const pauses: number[] = [];
      for (const sinceS of [0, 20, 200]) {
        const since = new Date(Date.now() - sinceS * 1000);
        if (sinceS > 0)
          await rig.database.db
            .updateTable('capture')
            .set({ fault_since: since })
            .where('id', '=', captureId)
            .execute();
        await run(captureId, async () => passing(), away());
        pauses.push((await captureRow(captureId)).judge_after!.getTime() - Date.now());
      }
      expect(pauses[0]).toBeLessThanOrEqual(1_000);
      expect(pauses[1]).toBeGreaterThan(pauses[0]!);
      expect(pauses[2]).toBeGreaterThan(pauses[1]!);
      expect(pauses[2]).toBeLessThanOrEqual(30_000);
      await run(captureId, async () => passing());
      expect((await resultOf(rig, opened)).overall_result).toBe('pass');
    });

    it("measures its patience by the database's clock, not the worker's", async () => {
      const opened = await createStarted(rig);
      const captureId = await submit(rig, opened.link);
      await run(captureId, async () => passing(), away());
      const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * FAULT_PATIENCE_MS);
      await run(captureId, async () => passing(), away()).finally(() => now.mockRestore());
      expect((await captureRow(captureId)).state).toBe('submitted');
    });

    it('then requests another recording, which uses no try, and never fails', async () => {
      const opened = await createStarted(rig);
      for (let outage = 0; outage < 4; outage++) {
        const captureId = await submit(rig, opened.link);
        await run(captureId, async () => passing(), away());
        await patienceOver(captureId);
        await run(captureId, async () => passing(), away());
        const told = await rig.services.outcome(opened.link, 0);
        const retry = { reason: 'video_unreadable', tries_left: 3 };
        expect(told).toMatchObject({ outcome: { status: 'retry', retry } });
      }
      await run(await submit(rig, opened.link), async () => passing());
      expect((await resultOf(rig, opened)).overall_result).toBe('pass');
    });

    it('ends as expired where no time is left for another recording', async () => {
      const opened = await createStarted(rig, { notifications });
      const captureId = await submit(rig, opened.link);
      await run(captureId, async () => passing(), away());
      await patienceOver(captureId);
      await expireIn(rig, opened.challengeId, -1);
      await run(captureId, async () => passing(), away());
      expect(await resultOf(rig, opened)).toMatchObject({ status: 'expired', overall_result: null });
      expect((await deliveriesOf(rig, opened)).map(({ event }) => event)).toEqual(['expired']);
    });
  });

  it('judges a capture whose judgement broke off when nothing else is judged in its process', async () => {
    const captureId = await submit(rig, (await createStarted(rig)).link);
    await run(captureId, async () => {
      throw new TypeError('undefined is not a frame');
    });
    const order: string[] = [];
    const beside = judgementLock.shared(async () => {
      await delay(300);
      order.push('a recording was followed to its end');
    });
    await rig.database.db
      .updateTable('capture')
      .set({ judge_after: null })
      .where('id', '=', captureId)
      .execute();
    await run(captureId, async () => {
      order.push('judged');
      return passing();
    });
    await beside;
    expect(order).toEqual(['a recording was followed to its end', 'judged']);
  });

  it('sends back a video that breaks the evaluation three times, whether it throws or ends the process', async () => {
    const opened = await createStarted(rig);
    const captureId = await submit(rig, opened.link);
    const breaks: Judge = async () => {
      throw new TypeError('undefined is not a frame');
    };
    await run(captureId, breaks);
    await run(captureId, breaks);
    // A killed process counts as a start and never ends the job.
    await beginJudgement(rig, captureId);
    await run(captureId, breaks);
    expect(await rig.services.outcome(opened.link, 0)).toMatchObject(SENT_BACK);
  });
});
