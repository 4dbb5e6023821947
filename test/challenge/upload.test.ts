import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finishStrandedUploads } from '../../src/challenge/retention.ts';
import {
  commit,
  createRig,
  createStarted,
  expireIn,
  jobsOf,
  type Rig,
  someVideo,
  submit,
} from './challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const CHUNK = 512 * 1024;

async function storedAssets(): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of rig.parts.assets.listOlderThan(new Date(Date.now() + 60_000))) ids.push(id);
  return ids.sort();
}

async function captureRow(captureId: string) {
  return rig.database.db
    .selectFrom('capture')
    .selectAll()
    .where('id', '=', captureId)
    .executeTakeFirstOrThrow();
}

async function chunkCount(captureId: string): Promise<number> {
  const rows = await rig.database.db
    .selectFrom('capture_chunk')
    .select('position')
    .where('capture_id', '=', captureId)
    .execute();
  return rows.length;
}

describe('upload', () => {
  it('takes chunks in order, goes on after a break, and ends in one asset, one job, no chunks', async () => {
    const { link, challengeId } = await createStarted(rig);
    const video = someVideo(CHUNK * 2 + 1000);
    const { capture_id } = await commit(rig, link, video);
    const send = (offset: number) =>
      rig.services.acceptBytes(link, capture_id, offset, video.subarray(offset, offset + CHUNK));
    expect(await send(0)).toEqual({ status: 'ok', received: { received_bytes: CHUNK, state: 'committed' } });
    const wrong = { status: 'wrong_offset', received: { received_bytes: CHUNK, state: 'committed' } };
    expect(await send(0)).toEqual(wrong);
    expect(await send(CHUNK * 2)).toEqual(wrong);
    const state = await rig.services.state(link);
    expect(state.status === 'ok' && state.state.capture).toEqual({
      id: capture_id,
      state: 'committed',
      received_bytes: CHUNK,
      size_bytes: video.length,
    });
    await send(CHUNK);
    const last = await send(CHUNK * 2);
    expect(last).toEqual({ status: 'ok', received: { received_bytes: video.length, state: 'submitted' } });
    expect(await send(CHUNK * 2)).toEqual(last);
    const row = await captureRow(capture_id);
    expect(await chunkCount(capture_id)).toBe(0);
    expect(await jobsOf(rig, 'judge')).toContain(capture_id);
    const asset = await rig.parts.store.findAsset(row.asset_id!);
    expect(asset).toMatchObject({ kind: 'liveness_video', mimeType: 'video/webm', sizeBytes: video.length });
    expect((await rig.parts.assets.get({ ...asset!, assetId: asset!.id })).equals(video)).toBe(true);
    const read = await rig.services.read(rig.caller, challengeId);
    expect(read.status === 'ok' && read.result).toMatchObject({ status: 'processing', assets_links: [] });
  });

  it('begins no recording while the queue of judgements is full, and takes those that were begun', async () => {
    const { link } = await createStarted(rig);
    const begun = await createStarted(rig);
    const video = someVideo();
    const { capture_id } = await commit(rig, begun.link, video);
    const other = await createStarted(rig);
    await submit(rig, other.link);
    const waiting = await rig.parts.store.countWaiting(1000);
    const full = rig.with({ settings: { ...rig.parts.settings, maxWaitingJudgements: waiting } });
    expect(await full.issueCapture(link)).toEqual({ status: 'saturated' });
    expect(await full.acceptBytes(begun.link, capture_id, 0, video)).toMatchObject({
      received: { state: 'submitted' },
    });
    expect(await rig.services.issueCapture(link)).toMatchObject({ status: 'ok' });
  });

  it('counts a chunk once when it is sent twice at once', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo(CHUNK + 10);
    const { capture_id } = await commit(rig, link, video);
    const chunk = video.subarray(0, CHUNK);
    const sent = await Promise.all([1, 2, 3].map(() => rig.services.acceptBytes(link, capture_id, 0, chunk)));
    expect(sent.filter((outcome) => outcome.status === 'ok').length).toBe(1);
    expect(await chunkCount(capture_id)).toBe(1);
  });

  it('submits once when the last chunk is finished twice at once, and leaves no orphan', async () => {
    const { link, challengeId } = await createStarted(rig);
    const video = someVideo();
    const { capture_id } = await commit(rig, link, video);
    const before = await storedAssets();
    const sent = await Promise.all(
      Array.from({ length: 4 }, () => rig.services.acceptBytes(link, capture_id, 0, video)),
    );
    const last = await rig.services.acceptBytes(link, capture_id, 0, video);
    expect(
      [...sent, last].every((outcome) => outcome.status === 'ok' || outcome.status === 'wrong_offset'),
    ).toBe(true);
    expect(last).toMatchObject({ received: { state: 'submitted' } });
    expect((await storedAssets()).length).toBe(before.length + 1);
    const row = await rig.database.db
      .selectFrom('challenge')
      .select('tries_used')
      .where('id', '=', challengeId)
      .executeTakeFirst();
    expect(row?.tries_used).toBe(1);
  });

  it('refuses bytes that are not those committed to, and leaves nothing of them', async () => {
    const { link, challengeId } = await createStarted(rig);
    const { capture_id } = await commit(rig, link, someVideo());
    const answer = await rig.services.acceptBytes(link, capture_id, 0, someVideo());
    expect(answer).toEqual({ status: 'conflict', code: 'hash_mismatch' });
    expect(await captureRow(capture_id)).toMatchObject({ state: 'abandoned', asset_id: null });
    expect(await chunkCount(capture_id)).toBe(0);
    const read = await rig.services.read(rig.caller, challengeId);
    expect(read.status === 'ok' && read.result.status).toBe('initiated');
    expect((await rig.services.issueCapture(link)).status).toBe('ok');
  });

  it('refuses more bytes than committed to, and chunks above the limit', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo(CHUNK + 1);
    const { capture_id } = await commit(rig, link, video);
    const tooLarge = { status: 'conflict', code: 'too_large' };
    expect(await rig.services.acceptBytes(link, capture_id, 0, video)).toEqual(tooLarge);
    await rig.services.acceptBytes(link, capture_id, 0, video.subarray(0, CHUNK));
    expect(await rig.services.acceptBytes(link, capture_id, CHUNK, Buffer.alloc(2))).toEqual(tooLarge);
  });

  it('takes nothing after the deadline', async () => {
    const { link, challengeId } = await createStarted(rig);
    const video = someVideo(2000);
    const { capture_id } = await commit(rig, link, video);
    await rig.services.acceptBytes(link, capture_id, 0, video.subarray(0, 1000));
    await expireIn(rig, challengeId, -1);
    const answer = await rig.services.acceptBytes(link, capture_id, 1000, video.subarray(1000));
    expect(answer).toMatchObject({ status: 'closed', current: 'expired' });
    expect((await captureRow(capture_id)).received_bytes).toBe(1000);
  });
});

describe('an upload whose server dies', () => {
  it('between the last chunk and the asset: the page or the sweep finishes it', async () => {
    const dying = rig.with({
      assets: {
        ...rig.parts.assets,
        put: async () => {
          throw new Error('killed');
        },
      },
    });
    for (const finish of ['page', 'sweep'] as const) {
      const { link } = await createStarted(rig);
      const video = someVideo();
      const { capture_id } = await commit(rig, link, video);
      await expect(dying.acceptBytes(link, capture_id, 0, video)).rejects.toThrow('killed');
      expect(await captureRow(capture_id)).toMatchObject({
        state: 'committed',
        received_bytes: video.length,
      });
      if (finish === 'page') await rig.services.acceptBytes(link, capture_id, video.length, Buffer.alloc(0));
      else expect(await finishStrandedUploads(rig.parts, rig.sweep)).toBe(1);
      expect((await captureRow(capture_id)).state).toBe('submitted');
    }
  });

  it('between the asset and its row: the chunks are still there, and the next run finishes it', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo();
    const { capture_id } = await commit(rig, link, video);
    const dying = rig.with({
      store: {
        ...rig.parts.store,
        apply: async () => {
          throw new Error('killed');
        },
      },
    });
    const before = await storedAssets();
    await expect(dying.acceptBytes(link, capture_id, 0, video)).rejects.toThrow('killed');
    expect((await storedAssets()).length).toBe(before.length + 1);
    expect(await jobsOf(rig, 'judge')).not.toContain(capture_id);
    await rig.services.acceptBytes(link, capture_id, 0, video);
    expect((await captureRow(capture_id)).state).toBe('submitted');
    expect(await jobsOf(rig, 'judge')).toContain(capture_id);
  });
});

describe('waiting for the outcome', () => {
  it('answers as soon as the status leaves processing, and never says pass or fail', async () => {
    const { link, challengeId } = await createStarted(rig, {
      flow_behaviour: { exit_redirect_url: 'https://a.example/' },
    });
    const video = someVideo();
    const { capture_id } = await commit(rig, link, video);
    await rig.services.acceptBytes(link, capture_id, 0, video);
    const none = await rig.services.outcome(link, 0);
    expect(none).toMatchObject({ outcome: { status: 'processing', redirect_url: null } });
    const waiting = rig.services.outcome(link, 10_000);
    await delay(300);
    await rig.services.cancel(rig.caller, challengeId);
    expect(await waiting).toEqual({
      status: 'ok',
      outcome: { status: 'expired', retry: null, redirect_url: null, estimate_ms: 0 },
    });
  });
});
