import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expireDue } from '../../../src/challenge/closing/expire-due.ts';
import {
  type Judgement,
  notJudged,
  settleJudgement,
  settleUnjudgeable,
} from '../../../src/challenge/closing/settle-judgement.ts';
import { parseFeatid } from '../../../src/featid/featid-text.ts';
import {
  beginJudgement,
  countAssets,
  createRig,
  createStarted,
  deliveriesOf,
  expireIn,
  judgementOf,
  notifications,
  type Opened,
  type Rig,
  resultOf,
  settle,
  submit,
} from '../challenge-rig.ts';

const named = (featid: string) => ({
  featid,
  featidId: parseFeatid(featid)!.id,
  source: 'liveness_video' as const,
});
const shown = ({ featidId: _id, source: _source, ...rest }: Judgement['compared'][number]) => rest;

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

describe('a judged capture', () => {
  it('passes: result, FeatureID, frame, events and one delivery per notification', async () => {
    const opened = await createStarted(rig, { notifications, customer_reference: 'ref' });
    const captureId = await submit(rig, opened.link);
    expect(await settle(rig, captureId, judgementOf({ cues: { page_hints: { hidden: 1 } } }))).toBe(
      'completed',
    );
    const result = await resultOf(rig, opened);
    expect(result).toMatchObject({ status: 'completed', closed_reason: 'completed', overall_result: 'pass' });
    expect(result.events.map((event) => event.name)).toEqual([
      'challenge_opened',
      'capture_started',
      'capture_submitted',
      'evaluation_completed',
    ]);
    const featid = result.liveness_result?.liveness_featid;
    expect(result.match_result).toEqual({ liveness_featid: featid });
    expect(await rig.featids.check(rig.caller.accountId, [featid!])).toEqual([
      { ok: true, id: expect.any(String), source: 'liveness_video', pausedForSeconds: null },
    ]);
    expect(result.assets_links.map(({ asset_type, mime_type }) => [asset_type, mime_type])).toEqual([
      ['liveness_video', 'video/webm'],
      ['best_frame', 'image/bmp'],
    ]);
    expect(JSON.stringify(result)).not.toContain('hidden');
    const deliveries = await deliveriesOf(rig, opened);
    expect(deliveries.map(({ event, endpoint_index }) => [event, endpoint_index])).toEqual([
      ['complete', 0],
      ['complete', 1],
    ]);
  });

  it('is settled once when two workers judge it at once', async () => {
    const opened = await createStarted(rig, { notifications });
    const captureId = await submit(rig, opened.link);
    const before = await countAssets(rig);
    const begun = await Promise.all(Array.from({ length: 4 }, () => beginJudgement(rig, captureId)));
    const settled = await Promise.all(begun.map((each) => settleJudgement(rig.parts, each, judgementOf())));
    expect(settled.toSorted()).toEqual(['completed', 'superseded', 'superseded', 'superseded']);
    expect((await deliveriesOf(rig, opened)).length).toBe(2);
    expect(await countAssets(rig)).toBe(before + 1);
    const rows = await rig.database.db
      .selectFrom('featid')
      .select('id')
      .where('challenge_id', '=', opened.challengeId)
      .execute();
    expect(rows.length).toBe(1);
  });

  it('fails without a FeatureID when liveness failed, and is not sent back', async () => {
    const opened = await createStarted(rig);
    const liveness = { face: true, smile: true, spoof_result: false, overall: false };
    await settle(rig, await submit(rig, opened.link), judgementOf({ liveness, reasons: ['screen_replay'] }));
    const result = await resultOf(rig, opened);
    expect(result.overall_result).toBe('fail');
    expect(result.liveness_result).toEqual({ ...liveness, liveness_featid: null });
    expect(result.match_result).toEqual({ liveness_featid: null });
    expect(result.diagnostics.reasons).toEqual(['screen_replay']);
    const answer = await rig.services.outcome(opened.link, 0);
    expect(answer).toMatchObject({ outcome: { status: 'done', retry: null } });
  });

  it('lists comparisons in the order of the request, with scores to two decimals; one match is enough', async () => {
    const enrolled: string[] = [];
    for (let count = 0; count < 2; count++) {
      const enrolment = await createStarted(rig);
      await settle(rig, await submit(rig, enrolment.link), judgementOf());
      enrolled.push((await resultOf(rig, enrolment)).liveness_result!.liveness_featid!);
    }
    const request = { liveness_only: false, compare_to_featids: enrolled };
    const opened = await createStarted(rig, request);
    const compared = [
      {
        ...named(enrolled[0]!),
        score: 0.123456,
        result: 'fail' as const,
        likeness_features: { nose: 'Fail' as const },
      },
      { ...named(enrolled[1]!), score: 0.987654, result: 'pass' as const, likeness_features: {} },
    ];
    await settle(rig, await submit(rig, opened.link), judgementOf({ compared }));
    const result = await resultOf(rig, opened);
    expect(result.overall_result).toBe('pass');
    expect(result.match_result).toEqual({
      compared_to_featids: [
        { ...shown(compared[0]!), feat_id: enrolled[0], score: 0.12 },
        { ...shown(compared[1]!), feat_id: enrolled[1], score: 0.99 },
      ],
    });
    const other = await createStarted(rig, request);
    const mismatch = compared.map((comparison) => ({ ...comparison, result: 'fail' as const }));
    await settle(rig, await submit(rig, other.link), judgementOf({ compared: mismatch }));
    expect((await resultOf(rig, other)).overall_result).toBe('fail');
    expect((await resultOf(rig, other)).liveness_result!.liveness_featid).not.toBeNull();
  });

  it('never rounds a score across the operating point', async () => {
    const enrolment = await createStarted(rig);
    await settle(rig, await submit(rig, enrolment.link), judgementOf());
    const featid = (await resultOf(rig, enrolment)).liveness_result!.liveness_featid!;
    for (const [score, result, shown] of [
      [0.4999, 'fail', 0.49],
      [0.5001, 'pass', 0.5],
    ] as const) {
      const opened = await createStarted(rig, { liveness_only: false, compare_to_featids: [featid] });
      const compared = [{ ...named(featid), score, result, likeness_features: {} }];
      await settle(rig, await submit(rig, opened.link), judgementOf({ compared }));
      expect((await resultOf(rig, opened)).match_result).toMatchObject({
        compared_to_featids: [{ score: shown, result }],
      });
    }
  });

  it('is sent back for another try twice; the third try ends the challenge', async () => {
    const opened = await createStarted(rig, { notifications });
    const unusable = notJudged('too_dark', 'too_dark');
    for (const left of [2, 1]) {
      expect(await settle(rig, await submit(rig, opened.link), unusable)).toBe('retried');
      const answer = await rig.services.outcome(opened.link, 0);
      expect(answer).toMatchObject({
        outcome: { status: 'retry', retry: { reason: 'too_dark', tries_left: left } },
      });
      const state = await rig.services.state(opened.link);
      expect(state).toMatchObject({
        state: { status: 'initiated', retry_reason: 'too_dark', tries_left: left },
      });
    }
    expect((await deliveriesOf(rig, opened)).length).toBe(0);
    expect(await settle(rig, await submit(rig, opened.link), unusable)).toBe('completed');
    const result = await resultOf(rig, opened);
    expect(result).toMatchObject({ status: 'completed', overall_result: 'fail' });
    expect(result.events.filter((event) => event.name === 'capture_rejected').length).toBe(2);
    expect(result.assets_links.map((link) => link.asset_type)).toEqual(['liveness_video']);
    expect((await deliveriesOf(rig, opened)).length).toBe(2);
  });

  it('is settled even after the deadline; if sent back after it, the challenge expires', async () => {
    const inTime = await createStarted(rig, { notifications });
    const first = await submit(rig, inTime.link);
    const tooLate = await createStarted(rig, { notifications });
    const second = await submit(rig, tooLate.link);
    await expireIn(rig, inTime.challengeId, -5);
    await expireIn(rig, tooLate.challengeId, -5);
    await expireDue({ ...rig.parts, sweep: rig.sweep });
    expect(await settle(rig, first, judgementOf())).toBe('completed');
    expect(await settle(rig, second, judgementOf({ retry: 'blurred', bestFrame: null }))).toBe('expired');
    expect((await resultOf(rig, inTime)).overall_result).toBe('pass');
    const expired = await resultOf(rig, tooLate);
    expect(expired).toMatchObject({
      status: 'expired',
      closed_reason: 'expired',
      overall_result: null,
      liveness_result: null,
      match_result: null,
      assets_links: [],
    });
    expect((await deliveriesOf(rig, tooLate)).map((delivery) => delivery.event)).toEqual(['expired']);
  });

  it('asks for another recording when no worker survives it, until no try is left, and never fails', async () => {
    const opened = await createStarted(rig, { notifications });
    for (const tries_left of [2, 1, 0]) {
      const captureId = await submit(rig, opened.link);
      expect(await settleUnjudgeable(rig.parts, await beginJudgement(rig, captureId))).toBe('retried');
      expect(await rig.services.outcome(opened.link, 0)).toMatchObject({
        outcome: { status: 'retry', retry: { reason: 'video_unreadable', tries_left } },
      });
    }
    expect(await rig.services.issueCapture(opened.link, {})).toMatchObject({ code: 'no_tries_left' });
    await expireIn(rig, opened.challengeId, -1);
    await expireDue({ ...rig.parts, sweep: rig.sweep });
    expect(await resultOf(rig, opened)).toMatchObject({ status: 'expired', overall_result: null });
  });

  it('changes nothing once the challenge is cancelled or erased', async () => {
    const cancelled = await createStarted(rig, { notifications });
    const first = await beginJudgement(rig, await submit(rig, cancelled.link));
    expect((await rig.services.cancel(rig.caller, cancelled.challengeId)).status).toBe('ok');
    const erased = await createStarted(rig, { notifications });
    const second = await beginJudgement(rig, await submit(rig, erased.link));
    expect(await rig.services.erase(rig.caller, erased.challengeId)).toEqual({ status: 'erased' });
    for (const each of [first, second]) {
      expect(await settleJudgement(rig.parts, each, judgementOf())).toBe('superseded');
    }
    expect((await resultOf(rig, cancelled)).status).toBe('cancelled');
    expect((await deliveriesOf(rig, cancelled)).length).toBe(0);
  });

  it('is judged again when the worker dies before the transaction', async () => {
    const opened = await createStarted(rig, { notifications });
    const captureId = await submit(rig, opened.link);
    const dying = {
      ...rig.parts,
      store: {
        ...rig.parts.store,
        apply: async () => {
          throw new Error('killed');
        },
      },
    };
    await expect(settleJudgement(dying, await beginJudgement(rig, captureId), judgementOf())).rejects.toThrow(
      'killed',
    );
    expect((await resultOf(rig, opened)).status).toBe('processing');
    expect(await settle(rig, captureId, judgementOf())).toBe('completed');
    expect((await deliveriesOf(rig, opened)).length).toBe(2);
  });
});

describe('a waiting page', () => {
  /** Reads the status only when it is notified. */
  async function untilJudged(opened: Opened): Promise<string> {
    const subscription = rig.parts.notifier.subscribe(opened.challengeId);
    try {
      for (;;) {
        await subscription.next(600_000);
        const { status } = await resultOf(rig, opened);
        if (status !== 'processing') return status;
      }
    } finally {
      subscription.close();
    }
  }

  it('is notified by NOTIFY when its judgement ends, even if the connection broke meanwhile', async () => {
    const first = await createStarted(rig);
    const captureId = await submit(rig, first.link);
    const heard = untilJudged(first);
    await settle(rig, captureId, judgementOf({ retry: 'blurred', bestFrame: null }));
    expect(await heard).toBe('initiated');
    const second = await createStarted(rig);
    await submit(rig, second.link);
    const heardAfterBreak = untilJudged(second);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'likeness listener' and datname = current_database()`.execute(rig.database.db);
    await rig.services.cancel(rig.caller, second.challengeId);
    expect(await heardAfterBreak).toBe('cancelled');
  });

  it('gets an answer when the judgement ends, or at the end of the waiting time', async () => {
    const opened = await createStarted(rig);
    const captureId = await submit(rig, opened.link);
    expect(await rig.services.outcome(opened.link, 50)).toMatchObject({ outcome: { status: 'processing' } });
    const waiting = rig.services.outcome(opened.link, 600_000);
    await settle(rig, captureId, judgementOf());
    expect(await waiting).toMatchObject({ outcome: { status: 'done' } });
  });
});
