import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expireDue } from '../../src/challenge/expire-due.ts';
import { deleteDueAssets, deleteOrphanAssets, purgeOldResults } from '../../src/challenge/retention.ts';
import { type Judgement, settleJudgement, settleUnjudgeable } from '../../src/challenge/settle-judgement.ts';
import type { FaceTemplate } from '../../src/featid/template.ts';
import { dumpDatabase, findSecrets, readFiles } from '../support/secret-search.ts';
import { expectResultShape } from '../support/spec-result.ts';
import {
  createRig,
  createStarted,
  expireIn,
  judgementOf,
  type Opened,
  type Rig,
  someVideo,
  submit,
} from './challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const hooks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'https' as const,
    properties: { endpoint_url: `https://a.example/${index}` },
  }));
const notifications = { complete: hooks(2), expired: hooks(1) };

async function judged(captureId: string) {
  const found = await rig.parts.store.beginJudgement(captureId);
  if (!found) throw new Error('not waiting');
  return found;
}

async function settle(captureId: string, judgement: Judgement<FaceTemplate>) {
  return settleJudgement(rig.parts, await judged(captureId), judgement);
}

async function resultOf(opened: Opened) {
  const read = await rig.services.read(rig.caller, opened.challengeId);
  if (read.status !== 'ok') throw new Error(read.status);
  expectResultShape(read.result);
  return read.result;
}

async function deliveriesOf(opened: Opened) {
  return rig.database.db
    .selectFrom('delivery')
    .select(['id', 'event', 'endpoint_index'])
    .where('challenge_id', '=', opened.challengeId)
    .orderBy('endpoint_index')
    .execute();
}

async function storedAssets(): Promise<number> {
  let count = 0;
  for await (const _ of rig.parts.assets.listOlderThan(new Date(Date.now() + 60_000))) count++;
  return count;
}

describe('a judged capture', () => {
  it('passes: result, FeatureID, frame, events and one delivery per notification', async () => {
    const opened = await createStarted(rig, { notifications, customer_reference: 'ref' });
    const captureId = await submit(rig, opened.link);
    expect(await settle(captureId, judgementOf({ cues: { hidden: 1 } }))).toBe('completed');
    const result = await resultOf(opened);
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
      { ok: true, id: expect.any(String) },
    ]);
    expect(result.assets_links.map(({ asset_type, mime_type }) => [asset_type, mime_type])).toEqual([
      ['liveness_video', 'video/webm'],
      ['best_frame', 'image/bmp'],
    ]);
    expect(JSON.stringify(result)).not.toContain('hidden');
    const deliveries = await deliveriesOf(opened);
    expect(deliveries.map(({ event, endpoint_index }) => [event, endpoint_index])).toEqual([
      ['complete', 0],
      ['complete', 1],
    ]);
  });

  it('is settled once when it is judged by two workers at once', async () => {
    const opened = await createStarted(rig, { notifications });
    const captureId = await submit(rig, opened.link);
    const before = await storedAssets();
    const begun = await Promise.all(Array.from({ length: 4 }, () => judged(captureId)));
    const settled = await Promise.all(begun.map((each) => settleJudgement(rig.parts, each, judgementOf())));
    expect(settled.toSorted()).toEqual(['completed', 'superseded', 'superseded', 'superseded']);
    expect((await deliveriesOf(opened)).length).toBe(2);
    expect(await storedAssets()).toBe(before + 1);
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
    await settle(await submit(rig, opened.link), judgementOf({ liveness, reasons: ['screen_replay'] }));
    const result = await resultOf(opened);
    expect(result.overall_result).toBe('fail');
    expect(result.liveness_result).toEqual({ ...liveness, liveness_featid: null });
    expect(result.match_result).toEqual({ liveness_featid: null });
    expect(result.diagnostics.reasons).toEqual(['screen_replay']);
    const answer = await rig.services.outcome(opened.link, 0);
    expect(answer).toMatchObject({ outcome: { status: 'done', retry: null } });
  });

  it('compares in the order of the request, scores with two decimals; one match is enough', async () => {
    const enrolled: string[] = [];
    for (let count = 0; count < 2; count++) {
      const enrolment = await createStarted(rig);
      await settle(await submit(rig, enrolment.link), judgementOf());
      enrolled.push((await resultOf(enrolment)).liveness_result!.liveness_featid!);
    }
    const request = { liveness_only: false, compare_to_featids: enrolled };
    const opened = await createStarted(rig, request);
    const compared = [
      {
        featid: enrolled[0]!,
        score: 0.123456,
        result: 'fail' as const,
        likeness_features: { nose: 'Fail' as const },
      },
      { featid: enrolled[1]!, score: 0.987654, result: 'pass' as const, likeness_features: {} },
    ];
    await settle(await submit(rig, opened.link), judgementOf({ compared }));
    const result = await resultOf(opened);
    expect(result.overall_result).toBe('pass');
    expect(result.match_result).toEqual({
      compared_to_featids: [
        { ...compared[0], feat_id: enrolled[0], score: 0.12 },
        { ...compared[1], feat_id: enrolled[1], score: 0.99 },
      ],
    });
    const other = await createStarted(rig, request);
    const mismatch = compared.map((comparison) => ({ ...comparison, result: 'fail' as const }));
    await settle(await submit(rig, other.link), judgementOf({ compared: mismatch }));
    expect((await resultOf(other)).overall_result).toBe('fail');
    expect((await resultOf(other)).liveness_result!.liveness_featid).not.toBeNull();
  });

  it('never rounds a score across the operating point', async () => {
    const enrolment = await createStarted(rig);
    await settle(await submit(rig, enrolment.link), judgementOf());
    const featid = (await resultOf(enrolment)).liveness_result!.liveness_featid!;
    for (const [score, result, shown] of [
      [0.4999, 'fail', 0.49],
      [0.5001, 'pass', 0.5],
    ] as const) {
      const opened = await createStarted(rig, { liveness_only: false, compare_to_featids: [featid] });
      const compared = [{ featid, score, result, likeness_features: {} }];
      await settle(await submit(rig, opened.link), judgementOf({ compared }));
      expect((await resultOf(opened)).match_result).toMatchObject({
        compared_to_featids: [{ score: shown, result }],
      });
    }
  });

  it('goes back for another try, twice; the third ends it', async () => {
    const opened = await createStarted(rig, { notifications });
    const unusable = judgementOf({
      retry: 'too_dark',
      liveness: { face: false, smile: false, spoof_result: false, overall: false },
      reasons: ['too_dark'],
      template: null,
      bestFrame: null,
    });
    for (const left of [2, 1]) {
      expect(await settle(await submit(rig, opened.link), unusable)).toBe('retried');
      const answer = await rig.services.outcome(opened.link, 0);
      expect(answer).toMatchObject({
        outcome: { status: 'retry', retry: { reason: 'too_dark', tries_left: left } },
      });
      const state = await rig.services.state(opened.link);
      expect(state).toMatchObject({
        state: { status: 'initiated', retry_reason: 'too_dark', tries_left: left },
      });
    }
    expect((await deliveriesOf(opened)).length).toBe(0);
    expect(await settle(await submit(rig, opened.link), unusable)).toBe('completed');
    const result = await resultOf(opened);
    expect(result).toMatchObject({ status: 'completed', overall_result: 'fail' });
    expect(result.events.filter((event) => event.name === 'capture_rejected').length).toBe(2);
    expect(result.assets_links.map((link) => link.asset_type)).toEqual(['liveness_video']);
    expect((await deliveriesOf(opened)).length).toBe(2);
  });

  it('is judged to its end after the deadline; sent back after it, the challenge expires', async () => {
    const inTime = await createStarted(rig, { notifications });
    const first = await submit(rig, inTime.link);
    const tooLate = await createStarted(rig, { notifications });
    const second = await submit(rig, tooLate.link);
    await expireIn(rig, inTime.challengeId, -5);
    await expireIn(rig, tooLate.challengeId, -5);
    await expireDue({ ...rig.parts, sweep: rig.sweep });
    expect(await settle(first, judgementOf())).toBe('completed');
    expect(await settle(second, judgementOf({ retry: 'blurred', bestFrame: null }))).toBe('expired');
    expect((await resultOf(inTime)).overall_result).toBe('pass');
    const expired = await resultOf(tooLate);
    expect(expired).toMatchObject({
      status: 'expired',
      closed_reason: 'expired',
      overall_result: null,
      liveness_result: null,
      match_result: null,
      assets_links: [],
    });
    expect((await deliveriesOf(tooLate)).map((delivery) => delivery.event)).toEqual(['expired']);
  });

  it('completes as failed when no worker survives it', async () => {
    const opened = await createStarted(rig, { notifications });
    const captureId = await submit(rig, opened.link);
    expect(await settleUnjudgeable(rig.parts, await judged(captureId))).toBe('completed');
    expect(await resultOf(opened)).toMatchObject({
      overall_result: 'fail',
      diagnostics: { reasons: ['judgement_failed'] },
    });
  });

  it('changes nothing once the challenge was cancelled or erased', async () => {
    const cancelled = await createStarted(rig, { notifications });
    const first = await judged(await submit(rig, cancelled.link));
    expect((await rig.services.cancel(rig.caller, cancelled.challengeId)).status).toBe('ok');
    const erased = await createStarted(rig, { notifications });
    const second = await judged(await submit(rig, erased.link));
    expect(await rig.services.erase(rig.caller, erased.challengeId)).toEqual({ status: 'erased' });
    for (const each of [first, second]) {
      expect(await settleJudgement(rig.parts, each, judgementOf())).toBe('superseded');
    }
    expect((await resultOf(cancelled)).status).toBe('cancelled');
    expect((await deliveriesOf(cancelled)).length).toBe(0);
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
    await expect(settleJudgement(dying, await judged(captureId), judgementOf())).rejects.toThrow('killed');
    expect((await resultOf(opened)).status).toBe('processing');
    expect(await settle(captureId, judgementOf())).toBe('completed');
    expect((await deliveriesOf(opened)).length).toBe(2);
  });
});

describe('a waiting page', () => {
  /** Asks only when the bell rings. */
  async function untilJudged(opened: Opened): Promise<string> {
    const ear = rig.parts.outcomes.listen(opened.challengeId);
    try {
      for (;;) {
        await ear.next(600_000);
        const { status } = await resultOf(opened);
        if (status !== 'processing') return status;
      }
    } finally {
      ear.close();
    }
  }

  it('hears of the end of its judgement by NOTIFY, also when the line broke meanwhile', async () => {
    const first = await createStarted(rig);
    const captureId = await submit(rig, first.link);
    const heard = untilJudged(first);
    await settle(captureId, judgementOf({ retry: 'blurred', bestFrame: null }));
    expect(await heard).toBe('initiated');
    const second = await createStarted(rig);
    await submit(rig, second.link);
    const heardAfterBreak = untilJudged(second);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'likeness bell' and datname = current_database()`.execute(rig.database.db);
    await rig.services.cancel(rig.caller, second.challengeId);
    expect(await heardAfterBreak).toBe('cancelled');
  });

  it('is answered when it is over, and at the end of its time when it is not', async () => {
    const opened = await createStarted(rig);
    const captureId = await submit(rig, opened.link);
    expect(await rig.services.outcome(opened.link, 50)).toMatchObject({ outcome: { status: 'processing' } });
    const waiting = rig.services.outcome(opened.link, 600_000);
    await settle(captureId, judgementOf());
    expect(await waiting).toMatchObject({ outcome: { status: 'done' } });
  });
});

describe('expiry', () => {
  it('closes what is due with one delivery per notification, however many sweep at once', async () => {
    const due: Opened[] = [];
    for (let count = 0; count < 8; count++) due.push(await createStarted(rig, { notifications }));
    const open = await createStarted(rig, { notifications });
    for (const { challengeId } of due) await expireIn(rig, challengeId, -1);
    const parts = { ...rig.parts, sweep: rig.sweep };
    const counts = await Promise.all([1, 2, 3, 4].map(() => expireDue(parts)));
    expect(counts.reduce((sum, count) => sum + count, 0) + (await expireDue(parts))).toBe(8);
    for (const opened of due) {
      const result = await resultOf(opened);
      expect(result).toMatchObject({ status: 'expired', closed_reason: 'expired', overall_result: null });
      expect(result.events.at(-1)?.name).toBe('challenge_expired');
      expect((await deliveriesOf(opened)).map((delivery) => delivery.event)).toEqual(['expired']);
    }
    expect((await resultOf(open)).status).toBe('initiated');
  });

  it('leaves out one that cannot be opened, expires the others, and says so', async () => {
    const [broken, whole] = [await createStarted(rig, { notifications }), await createStarted(rig)];
    const garbage = { sealed_request: Buffer.from('not sealed by anybody') };
    await rig.database.db
      .updateTable('challenge')
      .set(garbage)
      .where('id', '=', broken.challengeId)
      .execute();
    for (const { challengeId } of [broken, whole]) await expireIn(rig, challengeId, -1);
    const parts = { ...rig.parts, sweep: rig.sweep };
    await expect(expireDue(parts)).rejects.toThrow('1 challenges cannot be expired');
    expect((await resultOf(whole)).status).toBe('expired');
    await rig.services.erase(rig.caller, broken.challengeId);
    expect(await expireDue(parts)).toBe(0);
  });

  it('and a submission at the same moment: one of them wins, never both', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const opened = await createStarted(rig, { notifications });
      await expireIn(rig, opened.challengeId, 0.08);
      const submitting = submit(rig, opened.link).then(
        () => 'submitted',
        () => 'refused',
      );
      const sweeping = (async () => {
        for (let turn = 0; turn < 25; turn++) await expireDue({ ...rig.parts, sweep: rig.sweep });
      })();
      const submitted = await submitting;
      await sweeping;
      await expireIn(rig, opened.challengeId, -1);
      await expireDue({ ...rig.parts, sweep: rig.sweep });
      const { status } = await resultOf(opened);
      expect(status).toBe(submitted === 'submitted' ? 'processing' : 'expired');
      outcomes.add(status);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });
});

/** What the audit log says of a challenge, oldest first. */
function auditOf(challengeId: string): Promise<{ actor: string; action: string }[]> {
  const lines = rig.database.db.selectFrom('audit').select(['actor', 'action']);
  return lines.where('subject', '=', challengeId).orderBy('id').execute();
}

describe('asset links', () => {
  it('open their own asset without a key, and no other; they end, and die with an erasure', async () => {
    const opened = await createStarted(rig);
    const video = someVideo();
    await settle(await submit(rig, opened.link, video), judgementOf());
    const [video_link, frame_link] = (await resultOf(opened)).assets_links;
    const open = (url: string) => {
      const { pathname, searchParams } = new URL(url);
      const query = { expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
      return { id: pathname.split('/').at(-1)!, query };
    };
    const link = open(video_link!.presigned_url);
    expect(video_link!.presigned_url).toMatch(/^https:\/\/likeness\.test\/assets\/links\/ast_/);
    expect(video_link!.presigned_url_valid_until).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    const read = await rig.services.readAsset(link.id, link.query);
    expect(read.status === 'ok' && read.bytes.equals(video) && read.mimeType).toBe('video/webm');
    const other = open(frame_link!.presigned_url);
    const notFound = { status: 'not_found' };
    expect(await rig.services.readAsset(other.id, link.query)).toEqual(notFound);
    expect(
      await rig.services.readAsset(link.id, { ...link.query, expires: `${link.query.expires}0` }),
    ).toEqual(notFound);
    expect(await rig.services.readAsset(link.id, { ...link.query, signature: '' })).toEqual(notFound);
    const later = rig.with({ clock: { now: () => new Date(Date.now() + 3601_000) } });
    expect(await later.readAsset(link.id, link.query)).toEqual({ status: 'expired' });
    await rig.services.erase(rig.caller, opened.challengeId);
    expect(await rig.services.readAsset(link.id, link.query)).toEqual(notFound);
    // Once: the refused readings read nothing.
    const reads = (await auditOf(opened.challengeId)).filter(
      ({ action }) => action === 'liveness_video.read',
    );
    expect(reads).toEqual([{ actor: 'link', action: 'liveness_video.read' }]);
  });
});

/** What is stored of a judged challenge: columns of the tables, and its files on the disk. */
async function bytesOf({ challengeId }: Opened): Promise<Record<string, string | Buffer>> {
  const { db } = rig.database;
  const challenge = db.selectFrom('challenge').selectAll().where('id', '=', challengeId);
  const { sealed_request, sealed_result, link_hash, customer_reference } =
    await challenge.executeTakeFirstOrThrow();
  const assets = await db.selectFrom('asset').selectAll().where('challenge_id', '=', challengeId).execute();
  const rest = await db
    .selectFrom('capture as c')
    .innerJoin('delivery as d', 'd.challenge_id', 'c.challenge_id')
    .innerJoin('featid as f', 'f.challenge_id', 'c.challenge_id')
    .select(['c.sha256', 'd.sealed_endpoint', 'f.sealed_template'])
    .where('c.challenge_id', '=', challengeId)
    .executeTakeFirstOrThrow();
  const files = await Promise.all(
    assets.map(async ({ id, kind }) => [`file of ${kind}`, (await readFile(fileOf(id))).subarray(0, 256)]),
  );
  return {
    ...Object.fromEntries(files),
    ...Object.fromEntries(assets.map(({ kind, sealed_key }) => [`key of ${kind}`, sealed_key])),
    ...(customer_reference && { 'customer reference': customer_reference }),
    ...{ request: sealed_request!, result: sealed_result!, link: link_hash },
    ...{ 'hash of the video': rest.sha256!, endpoint: rest.sealed_endpoint, template: rest.sealed_template! },
  };
}

/** Names of those that still stand in some table or some file. */
async function foundOf(bytes: Record<string, string | Buffer>): Promise<string[]> {
  const dump = Buffer.from(await dumpDatabase(rig.database.url));
  return [dump, ...readFiles(rig.folder, [])].flatMap((each) => findSecrets(each, bytes));
}

const fileOf = (assetId: string) =>
  readdirSync(rig.folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(assetId))
    .map((path) => join(rig.folder, path))[0]!;

describe('erasure and retention', () => {
  it('erases video, frame, result, FeatureID and deliveries at once; an audit row stays', async () => {
    const before = await storedAssets();
    const opened = await createStarted(rig, { notifications, customer_reference: 'a reference to erase' });
    await settle(await submit(rig, opened.link), judgementOf());
    const featid = (await resultOf(opened)).liveness_result!.liveness_featid!;
    const { challengeId } = opened;
    expect(await rig.services.erase(rig.stranger, challengeId)).toEqual({ status: 'not_found' });
    const bytes = await bytesOf(opened);
    expect((await foundOf(bytes)).sort()).toEqual(Object.keys(bytes).sort());
    expect(await rig.services.erase(rig.caller, challengeId)).toEqual({ status: 'erased' });
    expect(await foundOf(bytes)).toEqual([]);
    expect(await storedAssets()).toBe(before);
    expect(await rig.services.read(rig.caller, challengeId)).toEqual({ status: 'not_found' });
    expect(await deliveriesOf(opened)).toEqual([]);
    const code = (await rig.featids.check(rig.caller.accountId, [featid]))[0];
    expect(code).toEqual({ ok: false, code: 'featid_revoked' });
    expect(await rig.services.erase(rig.caller, challengeId)).toEqual({ status: 'not_found' });
    expect(await auditOf(challengeId)).toEqual([
      { actor: rig.caller.actor, action: 'challenge.created' },
      { actor: rig.caller.actor, action: 'challenge.read' },
      { actor: rig.caller.actor, action: 'challenge.erased' },
    ]);
  });

  it('purges results without pending deliveries, keeps FeatureIDs, and can erase those afterwards', async () => {
    const opened = await createStarted(rig, { notifications });
    await settle(await submit(rig, opened.link), judgementOf());
    const featid = (await resultOf(opened)).liveness_result!.liveness_featid!;
    const { db } = rig.database;
    const long = new Date(Date.now() - 91 * 86_400_000);
    await db.updateTable('challenge').set({ closed_at: long }).where('id', '=', opened.challengeId).execute();
    expect(await purgeOldResults(rig.sweep, 90)).toBe(0);
    await db
      .updateTable('delivery')
      .set({ status: 'delivered' })
      .where('challenge_id', '=', opened.challengeId)
      .execute();
    const { template, ...bytes } = await bytesOf(opened);
    expect(await purgeOldResults(rig.sweep, 90)).toBe(1);
    await deleteDueAssets(rig.sweep, rig.parts.assets);
    expect(await foundOf({ ...bytes, template: template! })).toEqual(['template']);
    expect(await rig.services.read(rig.caller, opened.challengeId)).toEqual({
      status: 'not_found',
    });
    expect(await rig.featids.check(rig.caller.accountId, [featid])).toEqual([
      { ok: true, id: expect.any(String) },
    ]);
    expect(await rig.services.erase(rig.caller, opened.challengeId)).toEqual({ status: 'erased' });
    expect((await rig.featids.check(rig.caller.accountId, [featid]))[0]).toEqual({
      ok: false,
      code: 'featid_revoked',
    });
  });

  it('deletes assets past their retention, and those that no row knows', async () => {
    const opened = await createStarted(rig);
    await settle(await submit(rig, opened.link), judgementOf());
    await rig.database.db
      .updateTable('asset')
      .set({ delete_after: new Date(Date.now() - 1000) })
      .where('challenge_id', '=', opened.challengeId)
      .execute();
    expect((await resultOf(opened)).assets_links).toEqual([]);
    expect(await deleteDueAssets(rig.sweep, rig.parts.assets)).toBeGreaterThanOrEqual(2);
    expect((await resultOf(opened)).overall_result).toBe('pass');
    const { accountId } = rig.caller;
    await rig.parts.assets.put({ accountId, assetId: 'ast_orphan', bytes: Buffer.from('x') });
    const later = { now: () => new Date(Date.now() + 2 * 3_600_000) };
    expect(await deleteOrphanAssets(rig.sweep, rig.parts.assets, { now: () => new Date() })).toBe(0);
    expect(await deleteOrphanAssets(rig.sweep, rig.parts.assets, later)).toBeGreaterThanOrEqual(1);
    expect(await deleteOrphanAssets(rig.sweep, rig.parts.assets, later)).toBe(0);
  });
});
