import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { expireDue } from '../../../src/challenge/closing/expire-due.ts';
import { finishStrandedUploads } from '../../../src/challenge/closing/retention.ts';
import type { ChallengeServices, Link } from '../../../src/challenge/services.ts';
import {
  commit,
  countJobs,
  createRig,
  createStarted,
  expireIn,
  type Rig,
  someVideo,
  submit,
} from '../challenge-rig.ts';

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

describe('an upload', () => {
  it('takes chunks in order, resumes after an interruption, and ends in one asset, one job and no chunks', async () => {
    const { link, challengeId } = await createStarted(rig);
    const video = someVideo(CHUNK * 2 + 1000);
    const jobs = await countJobs(rig);
    const { capture_id } = await commit(rig, link, video);
    const send = (offset: number) =>
      rig.services.acceptBytes(link, capture_id, offset, async () => video.subarray(offset, offset + CHUNK));
    expect(await send(0)).toEqual({
      status: 'ok',
      received: { received_bytes: CHUNK, announced_slices: 1, state: 'committed' },
    });
    const wrong = {
      status: 'wrong_offset',
      received: { received_bytes: CHUNK, announced_slices: 1, state: 'committed' },
    };
    expect(await send(0)).toEqual(wrong);
    expect(await send(CHUNK * 2)).toEqual(wrong);
    const state = await rig.services.state(link);
    expect(state.status === 'ok' && state.state.capture).toEqual({
      id: capture_id,
      state: 'committed',
      received_bytes: CHUNK,
      size_bytes: video.length,
      announced_slices: 1,
      passkey: null,
    });
    await send(CHUNK);
    const last = await send(CHUNK * 2);
    expect(last).toEqual({
      status: 'ok',
      received: { received_bytes: video.length, announced_slices: 1, state: 'submitted' },
    });
    expect(await send(CHUNK * 2)).toEqual(last);
    const row = await captureRow(capture_id);
    expect(await chunkCount(capture_id)).toBe(0);
    expect(await countJobs(rig)).toBe(jobs + 1);
    const asset = await rig.parts.store.findAsset(row.asset_id!);
    expect(asset).toMatchObject({ kind: 'liveness_video', mimeType: 'video/webm', sizeBytes: video.length });
    expect((await rig.parts.assets.get({ ...asset!, assetId: asset!.id })).equals(video)).toBe(true);
    const read = await rig.services.read(rig.caller, challengeId);
    expect(read.status === 'ok' && read.result).toMatchObject({ status: 'processing', assets_links: [] });
  });

  it('starts no recording while the judgement queue is full, but accepts those already begun', async () => {
    const { link } = await createStarted(rig);
    const begun = await createStarted(rig);
    const video = someVideo();
    const { capture_id } = await commit(rig, begun.link, video);
    const other = await createStarted(rig);
    await submit(rig, other.link);
    const full = rig.with({ settings: { ...rig.parts.settings, maxWaitingPerWorker: 1 } });
    expect(await full.issueCapture(link)).toEqual({ status: 'unavailable', because: 'queue_full' });
    expect(await full.acceptBytes(begun.link, capture_id, 0, async () => video)).toMatchObject({
      received: { state: 'submitted' },
    });
    expect(await rig.services.issueCapture(link)).toMatchObject({ status: 'ok' });
  });

  it('takes no more chunks than a page sends, however small they are', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo(40_000);
    const { capture_id } = await commit(rig, link, video);
    const send = (at: number) =>
      rig.services.acceptBytes(link, capture_id, at, async () => video.subarray(at, at + 1));
    // One for the slice, 64 spare ones, and one for every 16 KiB begun.
    for (let at = 0; at < 68; at++) expect(await send(at)).toMatchObject({ status: 'ok' });
    expect(await send(68)).toEqual({ status: 'conflict', code: 'too_many_chunks' });
    expect((await captureRow(capture_id)).received_bytes).toBe(68);
  });

  it('counts a chunk once when it is sent twice at once', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo(CHUNK + 10);
    const { capture_id } = await commit(rig, link, video);
    const chunk = video.subarray(0, CHUNK);
    const sent = await Promise.all(
      [1, 2, 3].map(() => rig.services.acceptBytes(link, capture_id, 0, async () => chunk)),
    );
    expect(sent.filter((outcome) => outcome.status === 'ok').length).toBe(1);
    expect(await chunkCount(capture_id)).toBe(1);
  });

  it('is submitted once when its last chunk is finished twice at once, and leaves no orphan', async () => {
    const { link, challengeId } = await createStarted(rig);
    const video = someVideo();
    const { capture_id } = await commit(rig, link, video);
    const before = await storedAssets();
    const sent = await Promise.all(
      Array.from({ length: 4 }, () => rig.services.acceptBytes(link, capture_id, 0, async () => video)),
    );
    const last = await rig.services.acceptBytes(link, capture_id, 0, async () => video);
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

  it('is finished by one run, whichever process asks; the others are told its progress', async () => {
    let puts = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = (): ChallengeServices =>
      rig.with({
        assets: {
          ...rig.parts.assets,
          put: async (asset) => {
            puts++;
            await held;
            return rig.parts.assets.put(asset);
          },
        },
      });
    const { link } = await createStarted(rig);
    const video = someVideo();
    const { capture_id } = await commit(rig, link, video);
    const here = slow();
    const first = here.acceptBytes(link, capture_id, 0, async () => video);
    await expect.poll(() => puts).toBe(1);
    const again = async () => {
      throw new Error('nobody wants these bytes');
    };
    const joined = Array.from({ length: 20 }, () => here.acceptBytes(link, capture_id, 0, again));
    // Another process.
    const complete = { received_bytes: video.length, announced_slices: 1, state: 'committed' };
    expect(await slow().acceptBytes(link, capture_id, 0, again)).toEqual({
      status: 'ok',
      received: complete,
    });
    expect(await finishStrandedUploads(rig.parts, rig.sweep)).toBe(0);
    release();
    const submitted = { status: 'ok', received: { ...complete, state: 'submitted' } };
    expect(await Promise.all([first, ...joined])).toEqual(new Array(21).fill(submitted));
    expect(puts).toBe(1);
  });

  it('reads bytes only when they are expected', async () => {
    const { link } = await createStarted(rig);
    const other = await createStarted(rig);
    const video = someVideo(3000);
    const { capture_id } = await commit(rig, link, video);
    await rig.services.acceptBytes(link, capture_id, 0, async () => video.subarray(0, 1000));
    const unwanted = async () => {
      throw new Error('read in vain');
    };
    const send = (as: Link, id: string, offset: number) => rig.services.acceptBytes(as, id, offset, unwanted);
    expect((await send(link, capture_id, 0)).status).toBe('wrong_offset');
    expect((await send(link, capture_id, 2000)).status).toBe('wrong_offset');
    expect((await send(other.link, capture_id, 1000)).status).toBe('not_found');
    expect((await send({ ...link, device: other.link.device }, capture_id, 1000)).status).toBe('conflict');
    expect((await send(link, newId('capture'), 1000)).status).toBe('not_found');
    await rig.services.acceptBytes(link, capture_id, 1000, async () => video.subarray(1000));
    expect(await send(link, capture_id, 1000)).toMatchObject({ received: { state: 'submitted' } });
  });

  it('refuses bytes that differ from those committed to, and keeps none of them', async () => {
    const { link, challengeId } = await createStarted(rig);
    const { capture_id } = await commit(rig, link, someVideo());
    const before = await storedAssets();
    const answer = await rig.services.acceptBytes(link, capture_id, 0, async () => someVideo());
    expect(answer).toEqual({ status: 'conflict', code: 'hash_mismatch' });
    expect(await captureRow(capture_id)).toMatchObject({ state: 'abandoned', asset_id: null });
    expect(await chunkCount(capture_id)).toBe(0);
    expect(await storedAssets()).toEqual(before);
    const read = await rig.services.read(rig.caller, challengeId);
    expect(read.status === 'ok' && read.result.status).toBe('initiated');
    expect((await rig.services.issueCapture(link)).status).toBe('ok');
  });

  it('refuses more bytes than committed to, and chunks above the limit', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo(CHUNK + 1);
    const { capture_id } = await commit(rig, link, video);
    const tooLarge = { status: 'conflict', code: 'too_large' };
    expect(await rig.services.acceptBytes(link, capture_id, 0, async () => video)).toEqual(tooLarge);
    await rig.services.acceptBytes(link, capture_id, 0, async () => video.subarray(0, CHUNK));
    expect(await rig.services.acceptBytes(link, capture_id, CHUNK, async () => Buffer.alloc(2))).toEqual(
      tooLarge,
    );
  });

  it('accepts nothing after the deadline', async () => {
    const { link, challengeId } = await createStarted(rig);
    const video = someVideo(2000);
    const { capture_id } = await commit(rig, link, video);
    await rig.services.acceptBytes(link, capture_id, 0, async () => video.subarray(0, 1000));
    await expireIn(rig, challengeId, -1);
    const answer = await rig.services.acceptBytes(link, capture_id, 1000, async () => video.subarray(1000));
    expect(answer).toMatchObject({ status: 'closed', current: 'expired' });
    expect((await captureRow(capture_id)).received_bytes).toBe(1000);
  });

  it('reports that its time is over even before the sweep ends it, so that the page stops asking', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo(2000);
    const { capture_id } = await commit(rig, link, video);
    await rig.services.acceptBytes(link, capture_id, 0, async () => video.subarray(0, 1000));
    await rig.database.db
      .updateTable('capture')
      .set({ upload_deadline: sql<Date>`now() - interval '1 second'` })
      .where('id', '=', capture_id)
      .execute();
    const answer = await rig.services.acceptBytes(link, capture_id, 1000, async () => video.subarray(1000));
    expect(answer).toEqual({ status: 'conflict', code: 'capture_not_open' });
  });
});

describe('an upload whose server dies', () => {
  it('between the last chunk and the asset is finished by the page or the sweep', async () => {
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
      await expect(dying.acceptBytes(link, capture_id, 0, async () => video)).rejects.toThrow('killed');
      expect(await captureRow(capture_id)).toMatchObject({
        state: 'committed',
        received_bytes: video.length,
      });
      if (finish === 'page')
        await rig.services.acceptBytes(link, capture_id, video.length, async () => Buffer.alloc(0));
      else expect(await finishStrandedUploads(rig.parts, rig.sweep)).toBe(1);
      expect((await captureRow(capture_id)).state).toBe('submitted');
    }
  });

  it('in the middle of finishing, killed, is finished by another run when the lease expires', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo();
    const { capture_id } = await commit(rig, link, video);
    // The state after kill -9: claimed, and never released.
    const killed = rig.with({
      assets: {
        ...rig.parts.assets,
        put: async () => {
          throw new Error('killed');
        },
      },
      store: { ...rig.parts.store, releaseFinish: async () => {} },
    });
    await expect(killed.acceptBytes(link, capture_id, 0, async () => video)).rejects.toThrow('killed');
    const ask = () => rig.services.acceptBytes(link, capture_id, video.length, async () => Buffer.alloc(0));
    expect(await ask()).toMatchObject({ status: 'ok', received: { state: 'committed' } });
    expect(await finishStrandedUploads(rig.parts, rig.sweep)).toBe(0);
    await rig.database.db
      .updateTable('capture')
      .set({ finish_lease_until: new Date(Date.now() - 1000) })
      .where('id', '=', capture_id)
      .execute();
    expect(await finishStrandedUploads(rig.parts, rig.sweep)).toBe(1);
    expect(await ask()).toMatchObject({ status: 'ok', received: { state: 'submitted' } });
  });

  it('between the asset and its row keeps its chunks, and the next run finishes it', async () => {
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
    const [before, jobs] = [await storedAssets(), await countJobs(rig)];
    await expect(dying.acceptBytes(link, capture_id, 0, async () => video)).rejects.toThrow('killed');
    expect((await storedAssets()).length).toBe(before.length + 1);
    expect(await countJobs(rig)).toBe(jobs);
    await rig.services.acceptBytes(link, capture_id, 0, async () => video);
    expect((await captureRow(capture_id)).state).toBe('submitted');
    expect(await countJobs(rig)).toBe(jobs + 1);
  });
});

describe('a video whose last byte arrived in time', () => {
  /** A complete upload that could not be stored at once, of a challenge whose time is now over. */
  async function stranded() {
    const opened = await createStarted(rig);
    const video = someVideo();
    const { capture_id } = await commit(rig, opened.link, video);
    const put = async () => {
      throw new Error('the store is away');
    };
    const away = rig.with({ assets: { ...rig.parts.assets, put } });
    await expect(away.acceptBytes(opened.link, capture_id, 0, async () => video)).rejects.toThrow('away');
    await expireIn(rig, opened.challengeId, -1);
    return { ...opened, capture_id, video };
  }
  const expire = () => expireDue({ ...rig.parts, sweep: rig.sweep });

  it('is judged even if it is stored after the deadline of the challenge', async () => {
    for (const finish of ['page', 'sweep'] as const) {
      const { link, challengeId, capture_id, video } = await stranded();
      await expire();
      if (finish === 'page')
        await rig.services.acceptBytes(link, capture_id, video.length, async () => Buffer.alloc(0));
      else await finishStrandedUploads(rig.parts, rig.sweep);
      expect((await captureRow(capture_id)).state).toBe('submitted');
      expect(await expire()).toBe(0);
      expect(await rig.services.read(rig.caller, challengeId)).toMatchObject({
        result: { status: 'processing' },
      });
    }
  });

  it('is not waited for forever if it can never be stored', async () => {
    const { challengeId, capture_id } = await stranded();
    expect(await expire()).toBe(0);
    await rig.database.db
      .updateTable('capture')
      .set({ upload_deadline: sql<Date>`now() - interval '6 minutes'` })
      .where('id', '=', capture_id)
      .execute();
    expect(await expire()).toBe(1);
    expect(await rig.services.read(rig.caller, challengeId)).toMatchObject({ result: { status: 'expired' } });
    expect(await chunkCount(capture_id)).toBe(0);
  });
});

describe('waiting for the outcome', () => {
  it('returns as soon as the status leaves processing, and never says pass or fail', async () => {
    const { link, challengeId } = await createStarted(rig, {
      flow_behaviour: { exit_redirect_url: 'https://a.example/' },
    });
    const video = someVideo();
    const { capture_id } = await commit(rig, link, video);
    await rig.services.acceptBytes(link, capture_id, 0, async () => video);
    const none = await rig.services.outcome(link, 0);
    expect(none).toMatchObject({ outcome: { status: 'processing', redirect_url: null } });
    const waiting = rig.services.outcome(link, 10_000);
    await delay(300);
    await rig.services.cancel(rig.caller, challengeId);
    expect(await waiting).toEqual({
      status: 'ok',
      outcome: { status: 'cancelled', retry: null, redirect_url: null, estimate_ms: 0 },
    });
  });
});
