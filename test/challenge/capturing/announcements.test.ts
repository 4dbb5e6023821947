// Announcements of a recording's slices: accepted in order and in time, and never changed afterwards.
import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Link } from '../../../src/challenge/services.ts';
import { ANNOUNCE_WITHIN_MS } from '../../../src/challenge/settings.ts';
import type { SliceAnnouncement } from '../../../src/contract/capture-page.ts';
import { SLICE_MS } from '../../../src/contract/upload-limits.ts';
import {
  announce,
  commitOf,
  createRig,
  createStarted,
  type Rig,
  sliceOf,
  someVideo,
} from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

async function issue(link: Link) {
  const issued = await rig.services.issueCapture(link);
  if (issued.status !== 'ok') throw new Error(issued.status);
  return issued.capture;
}

/** Makes the capture look as if it was issued `ms` milliseconds ago. */
async function age(captureId: string, ms: number): Promise<void> {
  await rig.database.db
    .updateTable('capture')
    .set({ issued_at: new Date(Date.now() - ms) })
    .where('id', '=', captureId)
    .execute();
}

const sliceAt = (bytes: Uint8Array, index: number, to_ms: number): SliceAnnouncement => ({
  index,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size_bytes: bytes.length,
  to_ms,
});

const noted = (announced_slices: number) => ({
  status: 'ok',
  received: { announced_slices, received_bytes: 0, state: 'issued' },
});

describe('slices', () => {
  it('are recorded in order; a repeated one gets the same answer, a different one at its index is refused', async () => {
    const { link } = await createStarted(rig);
    const { capture_id: id } = await issue(link);
    await age(id, 2_000);
    const [a, b] = [someVideo(100), randomBytes(50)];
    expect(await rig.services.announce(link, id, { slices: [sliceAt(a, 0, 400)] })).toEqual(noted(1));
    expect(await rig.services.announce(link, id, { slices: [sliceAt(a, 0, 400)] })).toEqual(noted(1));
    const elsewhere = { status: 'wrong_slice', received: noted(1).received };
    expect(await rig.services.announce(link, id, { slices: [sliceAt(b, 0, 400)] })).toEqual(elsewhere);
    expect(await rig.services.announce(link, id, { slices: [sliceAt(b, 2, 1200)] })).toEqual(elsewhere);
    expect(await rig.services.announce(link, id, { slices: [sliceAt(b, 1, 800)] })).toEqual(noted(2));
    expect((await rig.services.progress(link, id)) as object).toMatchObject({
      progress: { announced_slices: 2, size_bytes: 150 },
    });
  });

  it('are accepted only at the time at which they can have been recorded', async () => {
    const { link } = await createStarted(rig);
    const capture = await issue(link);
    expect(capture).toMatchObject({ slice_ms: SLICE_MS });
    const id = capture.capture_id;
    const bytes = someVideo(100);
    const early = { status: 'conflict', code: 'slice_too_early' };
    const late = { status: 'conflict', code: 'slice_too_late' };
    expect(await rig.services.announce(link, id, { slices: [sliceAt(bytes, 0, 60_000)] })).toEqual(early);
    await age(id, ANNOUNCE_WITHIN_MS - 300);
    expect(await rig.services.announce(link, id, { slices: [sliceAt(bytes, 0, 400)] })).toEqual(noted(1));
    // Its end is not after the end of the slice before.
    expect(await rig.services.announce(link, id, { slices: [sliceAt(bytes, 1, 400)] })).toEqual(early);
    await age(id, 400 + ANNOUNCE_WITHIN_MS + 50);
    // The start of the slice counts, however long the slice is.
    for (const to_ms of [800, 4_000])
      expect(await rig.services.announce(link, id, { slices: [sliceAt(bytes, 1, to_ms)] })).toEqual(late);
  });

  it('are accepted from the bound device, for an open capture, up to the size limit', async () => {
    const { link } = await createStarted(rig);
    const other = await createStarted(rig);
    const { capture_id: id } = await issue(link);
    const slice = sliceOf(someVideo(100));
    expect((await rig.services.announce(other.link, id, { slices: [slice] })).status).toBe('not_found');
    expect(
      await rig.services.announce({ ...link, device: other.link.device }, id, { slices: [slice] }),
    ).toEqual({
      status: 'conflict',
      code: 'other_device',
    });
    const small = rig.with({ settings: { ...rig.parts.settings, maxUploadBytes: 99 } });
    expect(await small.announce(link, id, { slices: [slice] })).toEqual({
      status: 'conflict',
      code: 'too_large',
    });
    expect(await rig.services.announce(link, id, { slices: [slice] })).toEqual(noted(1));
    expect(await rig.parts.store.abandonCapture(id)).toBe(true);
    const notOpen = { status: 'conflict', code: 'capture_not_open' };
    for (const index of [0, 1, 7])
      expect(await rig.services.announce(link, id, { slices: [{ ...slice, index, to_ms: 2 }] })).toEqual(
        notOpen,
      );
  });

  it('are too late after the commit deadline, before and after the capture is abandoned for it', async () => {
    const { link } = await createStarted(rig);
    const { capture_id: id } = await issue(link);
    const bytes = someVideo(100);
    expect(await rig.services.announce(link, id, { slices: [sliceOf(bytes)] })).toEqual(noted(1));
    await rig.database.db
      .updateTable('capture')
      .set({ commit_deadline: sql<Date>`now() - interval '1 second'` })
      .where('id', '=', id)
      .execute();
    const say = async () => [
      await rig.services.announce(link, id, { slices: [sliceAt(bytes, 1, 800)] }),
      await rig.services.acceptBytes(link, id, 0, async () => bytes),
    ];
    const late = { status: 'conflict', code: 'slice_too_late' };
    expect(await say()).toEqual([late, { status: 'conflict', code: 'commit_too_late' }]);
    await rig.sweep.abandonStale(100);
    expect(await say()).toEqual([late, { status: 'conflict', code: 'capture_not_open' }]);
  });

  it('are recorded once when they are announced concurrently', async () => {
    const { link } = await createStarted(rig);
    const { capture_id: id } = await issue(link);
    const all = await Promise.all(
      Array.from({ length: 6 }, () => rig.services.announce(link, id, { slices: [sliceOf(someVideo(100))] })),
    );
    expect(all.filter(({ status }) => status === 'ok')).toHaveLength(1);
    expect((await rig.parts.store.findCapture(id))!.capture.slices).toHaveLength(1);
  });

  it('are recorded several at a time, including ones already recorded, up to the first that is refused', async () => {
    const { link } = await createStarted(rig);
    const { capture_id: id } = await issue(link);
    await age(id, 2_000);
    const slices = Array.from({ length: 4 }, (_, index) =>
      sliceAt(randomBytes(10), index, (index + 1) * 400),
    );
    const say = (...some: SliceAnnouncement[]) => rig.services.announce(link, id, { slices: some });
    expect(await say(slices[0]!, slices[1]!)).toEqual(noted(2));
    expect(await say(slices[0]!, slices[1]!, slices[2]!, slices[3]!)).toEqual(noted(4));
    const next = sliceAt(randomBytes(10), 4, 1_900);
    const early = sliceAt(randomBytes(10), 5, 60_000);
    expect(await say(next, early)).toEqual({ status: 'conflict', code: 'slice_too_early' });
    expect(await rig.services.progress(link, id)).toMatchObject({ progress: { announced_slices: 5 } });
    const gap = sliceAt(randomBytes(10), 6, 1_950);
    expect(await say(next, gap)).toEqual({ status: 'wrong_slice', received: noted(5).received });
  });

  it('have their bytes accepted before the recording ends; the commit then submits the capture', async () => {
    const { link } = await createStarted(rig);
    const video = someVideo();
    const capture = await announce(rig, link, video);
    const id = capture.capture_id;
    const more = await rig.services.acceptBytes(link, id, 0, async () => Buffer.concat([video, video]));
    expect(more).toEqual({ status: 'conflict', code: 'too_large' });
    expect(await rig.services.acceptBytes(link, id, 0, async () => video)).toEqual({
      status: 'ok',
      received: { announced_slices: 1, received_bytes: video.length, state: 'issued' },
    });
    expect(await rig.services.commit(link, id, commitOf(video, capture))).toMatchObject({
      status: 'ok',
      received: { received_bytes: video.length, state: 'submitted' },
    });
  });

  it('of any size, sent in any chunks, submit only the exact bytes', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.integer({ min: 100, max: 1000 }),
        fc.option(fc.nat(), { nil: null, freq: 2 }),
        async (slices, chunkBytes, altered) => {
          const { link } = await createStarted(rig);
          const issued = await issue(link);
          const id = issued.capture_id;
          await age(id, 1_000);
          const video = randomBytes(slices.reduce((sum, size) => sum + size, 0));
          let from = 0;
          let { script } = issued;
          for (const [index, size] of slices.entries()) {
            const slice = sliceAt(video.subarray(from, from + size), index, (index + 1) * 100);
            const announced = await rig.services.announce(link, id, {
              slices: [slice],
              steps: issued.step_count,
            });
            if (announced.status !== 'ok') throw new Error(announced.status);
            script = { ...script, steps: announced.received.steps! };
            from += size;
          }
          const sent = Buffer.from(video);
          if (altered !== null) sent[altered % sent.length]! ^= 1;
          for (let offset = 0; offset < sent.length; offset += chunkBytes)
            await rig.services.acceptBytes(link, id, offset, async () =>
              sent.subarray(offset, offset + chunkBytes),
            );
          const commit = { ...commitOf(video, { script }), slices: slices.length };
          const committed = await rig.services.commit(link, id, commit);
          if (altered === null) expect(committed).toMatchObject({ received: { state: 'submitted' } });
          else expect(committed).toEqual({ status: 'conflict', code: 'hash_mismatch' });
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('steps of a script', () => {
  const handedOut = async (id: string) => (await rig.parts.store.findCapture(id))!.capture;
  /** Announces the next slice and asks for `steps` steps; returns the steps that came back. */
  const ask = async (link: Link, id: string, index: number, steps?: number) => {
    const slice = sliceAt(randomBytes(10), index, (index + 1) * 100);
    const answer = await rig.services.announce(link, id, { slices: [slice], ...(steps && { steps }) });
    if (answer.status !== 'ok') throw new Error(answer.status);
    return answer.received.steps;
  };

  it('are handed out as requested, and the time is recorded', async () => {
    const { link } = await createStarted(rig);
    const { capture_id: id, script, step_count } = await issue(link);
    const drawn = (await handedOut(id)).script.steps;
    expect(drawn).toHaveLength(step_count);
    expect(script.steps).toEqual(drawn.slice(0, 1));
    await age(id, 1_500);
    expect(await ask(link, id, 0)).toBeUndefined();
    expect(await ask(link, id, 1, 2)).toEqual(drawn.slice(0, 2));
    await age(id, 3_000);
    // A slow network asks for all of them. A script has no more steps.
    expect(await ask(link, id, 2, 12)).toEqual(drawn);
    const { handedOutMs } = await handedOut(id);
    expect(handedOutMs).toHaveLength(step_count);
    expect(handedOutMs[0]).toBe(0);
    expect(handedOutMs[1]).toBeGreaterThanOrEqual(1_500);
    expect(handedOutMs[1]).toBeLessThan(3_000);
    for (const ms of handedOutMs.slice(2)) expect(ms).toBeGreaterThanOrEqual(3_000);
  });

  it('come one per new slice where asking for all at once is not allowed, however often and concurrently they are requested', async () => {
    const { livenessJustInTime: _, ...settings } = rig.parts.settings;
    const strict = rig.with({ settings: { ...settings, livenessJustInTime: 'require' } });
    const { link } = await createStarted(rig);
    const issued = await strict.issueCapture(link);
    if (issued.status !== 'ok') throw new Error(issued.status);
    const { capture_id: id, step_count, script } = issued.capture;
    expect(script.just_in_time).toBe(true);
    for (let index = 0; index < step_count; index++) {
      await age(id, (index + 1) * 100);
      const slices = [sliceAt(randomBytes(10), index, (index + 1) * 100)];
      const asking = () => strict.announce(link, id, { slices, steps: 12 });
      const answers = await Promise.all(Array.from({ length: 4 }, asking));
      const known = answers.map((answer) => answer.status === 'ok' && answer.received.steps?.length);
      expect(Math.max(...known.map(Number))).toBe(Math.min(index + 2, step_count));
    }
  });

  it('must all be handed out before the commit', async () => {
    const { link } = await createStarted(rig);
    const { capture_id: id } = await issue(link);
    const video = someVideo();
    expect((await rig.services.announce(link, id, { slices: [sliceOf(video)] })).status).toBe('ok');
    const { script } = await handedOut(id);
    expect(await rig.services.commit(link, id, commitOf(video, { script }))).toEqual({
      status: 'conflict',
      code: 'other_script',
    });
  });
});
