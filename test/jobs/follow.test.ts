// Recordings that are judged while they are made: each is settled once, by whoever holds it. If that fails, the
// complete video is judged.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { RecordingEnded } from '../../src/challenge/capturing/growing-video.ts';
import { createFollowTask, type FollowParts } from '../../src/jobs/follow.ts';
import { createJudgeTask } from '../../src/jobs/judge.ts';
import { createJudgementLock } from '../../src/jobs/judgement-lock.ts';
import { createKeptJudgements } from '../../src/jobs/kept-judgements.ts';
import {
  countJobs,
  createRig,
  createStarted,
  inTurn,
  type Rig,
  receiptOf,
  resultOf,
  videoOf,
} from '../challenge/challenge-rig.ts';
import { passing, SOME_ENGINE } from './judgements.ts';
import { abandonRecordings, beginRecording, type Recording, rowOf } from './recordings.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());
beforeEach(() => abandonRecordings(rig));

type JudgeGrowing = FollowParts['judgeGrowing'];
const observed: Parameters<FollowParts['observe']>[0][] = [];
const judgementLock = createJudgementLock();
let jobs = 1_000_000;
/** Aborts when the process is ending. */
let ending = new AbortController();

const parts = () => ({
  ...rig.parts,
  featids: rig.featids,
  judgementLock,
  keptJudgements: createKeptJudgements(),
  engine: SOME_ENGINE,
  observe: (judged: (typeof observed)[number]) => observed.push(judged),
  log: createLogger({ level: 'silent', process: 'test' }),
});

/** Runs a follow job; with `jobId`, repeats an earlier one. */
const follow = (judgeGrowing: JudgeGrowing, jobId = String(++jobs)) =>
  createFollowTask({ ...parts(), signal: ending.signal, judgeGrowing })(null, { id: jobId });

/** Reads the video to its end, as the evaluation does, and asks for the rest. */
const reading =
  (read: Uint8Array[]): JudgeGrowing =>
  async ({ video, context }) => {
    for await (const bytes of video as AsyncIterable<Uint8Array>) read.push(bytes);
    const { script } = await context();
    expect(script?.steps[0]?.prompt).toBe('neutral');
    return passing();
  };

/** A recording of which no bytes have arrived. */
const record = async (caller = rig.caller): Promise<Recording> =>
  beginRecording(rig, await createStarted({ ...rig, caller }));

/** Sends so many bytes twice a second, until stopped; then resolves with the next offset. */
function sendSteadily(recording: Recording, from: number, bytes: number): () => Promise<number> {
  let at = from;
  let stopped = false;
  const sending = (async () => {
    for (; !stopped; at += bytes) {
      await recording.send(at, at + bytes);
      await delay(500);
    }
  })();
  return async () => {
    stopped = true;
    await sending;
    return at;
  };
}

const countFollowJobs = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker.jobs where task_identifier = 'follow'`.execute(
    rig.database.db,
  );
  return rows[0]!.count;
};

const judgeWhole = (id: string) =>
  inTurn(rig, id, (jobId) =>
    createJudgeTask({ ...parts(), judge: async () => passing() })(null, { id: jobId }),
  );

describe('the follow task', () => {
  it('is queued once, with the first bytes of an ongoing recording', async () => {
    const before = await countFollowJobs();
    const recording = await record();
    await recording.send(0, 1000);
    await recording.send(1000, 2000);
    expect(await countFollowJobs()).toBe(before + 1);
  });

  it('reads a recording while it arrives, and settles it when it is submitted', async () => {
    const recording = await record();
    await recording.send(0, 1000);
    const read: Uint8Array[] = [];
    const following = follow(reading(read));
    await expect.poll(() => read.length).toBe(1);
    await recording.send(1000, 3000);
    await expect.poll(() => read.length).toBe(2);
    expect(await recording.commit()).toBe('submitted');
    await following;
    expect(Buffer.concat(read).equals(recording.video)).toBe(true);
    expect((await resultOf(rig, recording.opened)).overall_result).toBe('pass');
    expect(observed.at(-1)).toMatchObject({
      followed: true,
      settlement: 'completed',
    });
    const receipt = await receiptOf(rig, recording.opened);
    expect(receipt.video).toEqual(videoOf(recording.video));
    // The token of its submission finds nothing.
    const count = observed.length;
    await judgeWhole(recording.id);
    expect(observed).toHaveLength(count);
  });

  it('reads the rest from the asset after the chunks have been combined', async () => {
    const recording = await record();
    await recording.send(0, 1000);
    const read: Uint8Array[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const following = follow(async ({ video, context }) => {
      for await (const bytes of video as AsyncIterable<Uint8Array>) {
        read.push(bytes);
        await held;
      }
      await context();
      return passing();
    });
    await expect.poll(() => read.length).toBe(1);
    await recording.send(1000, 3000);
    await recording.commit();
    release();
    await following;
    expect(Buffer.concat(read).equals(recording.video)).toBe(true);
    expect((await rowOf(rig, recording.id)).state).toBe('judged');
  });

  it('leaves a recording to the judgement of the whole video after an error, even if it is already submitted', async () => {
    for (const when of ['before', 'after'] as const) {
      const recording = await record();
      await recording.send(0, 3000);
      await follow(async () => {
        if (when === 'after') await recording.commit();
        throw new Error('broken');
      });
      if (when === 'before') await recording.commit();
      const row = await rowOf(rig, recording.id);
      expect(row).toMatchObject({ state: 'submitted', taken_by: null, judgement_starts: 1 });
      expect(await countJobs(rig)).toBeGreaterThan(0);
      await judgeWhole(recording.id);
      expect((await rowOf(rig, recording.id)).state).toBe('judged');
    }
  });

  it('settles nothing for a video that it cannot read to its end', async () => {
    const recording = await record();
    await recording.send(0, 3000);
    await follow(async () => ({ status: 'notJudged', reason: 'decode_failed' }));
    expect(await recording.commit()).toBe('submitted');
    expect(await rowOf(rig, recording.id)).toMatchObject({ state: 'submitted', taken_by: null });
  });

  it('releases a recording that is given up, and does not take it again', async () => {
    const recording = await record();
    await recording.send(0, 1000);
    const read: Uint8Array[] = [];
    const following = follow(reading(read));
    await expect.poll(() => read.length).toBe(1);
    await rig.parts.store.abandonCapture(recording.id);
    await following;
    expect(await rowOf(rig, recording.id)).toMatchObject({ state: 'abandoned' });
    await follow(async () => {
      throw new Error('nothing is free');
    });
  });

  it('does not fail for a recording that was given up after its last byte', async () => {
    const recording = await record();
    await recording.send(0, 1000);
    await recording.commit();
    let asked: unknown = 'not yet';
    await follow(async ({ context }) => {
      await rig.parts.store.abandonCapture(recording.id);
      asked = await context().catch((error: unknown) => error);
      throw asked;
    });
    expect(asked).toBeInstanceOf(RecordingEnded);
    expect(await rowOf(rig, recording.id)).toMatchObject({ state: 'abandoned', shared_prints: null });
  });

  it('gives up a place that is not used: bytes that trickle do not keep it', async () => {
    const trickling = await record();
    await trickling.send(0, 1000);
    // A share of what was announced is two hundred bytes.
    const stop = sendSteadily(trickling, 1000, 1);
    await follow(reading([]));
    await stop();
    expect(await rowOf(rig, trickling.id)).toMatchObject({ state: 'issued', taken_by: null });
  }, 20_000);

  it.each([
    ['longer than its capture is old', { lengthMs: 5_000, pixels: 640 * 480 * 150 }, false],
    ['costlier than a whole video may be', { lengthMs: 1_200, pixels: 1920 * 1440 * 72 }, false],
    ['as usual', { lengthMs: 1_200, pixels: 1280 * 720 * 36 }, true],
  ])('follows a film only if a camera of a page makes such: %s', async (_, film, isFollowed) => {
    const recording = await record();
    await recording.send(0, 3000);
    await delay(300);
    await follow(async ({ onFilm, video, context }) => {
      onFilm!(film);
      await recording.commit();
      return reading([])({ video, context });
    });
    if (!isFollowed) await recording.commit();
    const left = { state: 'submitted', taken_by: null, judgement_starts: 1 };
    expect(await rowOf(rig, recording.id)).toMatchObject(isFollowed ? { state: 'judged' } : left);
  });

  it('keeps a place on a slow line, and follows it to its end', async () => {
    const slow = await record();
    await slow.send(0, 1000);
    const stop = sendSteadily(slow, 1000, 100);
    const read: Uint8Array[] = [];
    const following = follow(reading(read));
    await delay(6_500);
    await slow.send(await stop(), 3000);
    await slow.commit();
    await following;
    expect(Buffer.concat(read).equals(slow.video)).toBe(true);
    expect((await rowOf(rig, slow.id)).state).toBe('judged');
  }, 20_000);

  it('takes the oldest recording of the account with the fewest followed', async () => {
    const [first, second] = [await record(), await record()];
    const stranger = await record(rig.stranger);
    const third = await record();
    const all = [first, second, stranger, third];
    for (const recording of all) await recording.send(0, 1000);
    const order: (string | undefined)[] = [];
    for (const _ of all) order.push((await rig.parts.store.takeRecording(String(++jobs), 2))?.capture.id);
    expect(order).toEqual([first, stranger, second, third].map(({ id }) => id));
    for (const { id } of all) await rig.parts.store.releaseRecording(id);
  });

  it("is not lost when another statement holds the recording's row", async () => {
    const recording = await record();
    await recording.send(0, 1000);
    const jobId = String(++jobs);
    // As when its next slice is announced or its next bytes arrive.
    const taken = await rig.database.db.transaction().execute(async (trx) => {
      await sql`update capture set received_bytes = received_bytes where id = ${recording.id}`.execute(trx);
      const taking = rig.parts.store.takeRecording(jobId, 2);
      await delay(200);
      return [taking];
    });
    expect((await taken[0])?.capture.id).toBe(recording.id);
    await rig.parts.store.releaseRecording(recording.id);
  });

  it('releases an ongoing recording when the process is ending', async () => {
    const recording = await record();
    await recording.send(0, 1000);
    const read: Uint8Array[] = [];
    const following = follow(reading(read));
    await expect.poll(() => read.length).toBe(1);
    ending.abort();
    await following;
    ending = new AbortController();
    expect(await rowOf(rig, recording.id)).toMatchObject({ state: 'issued', taken_by: null });
    await recording.send(1000, 3000);
    await recording.commit();
    await judgeWhole(recording.id);
    expect((await rowOf(rig, recording.id)).state).toBe('judged');
  });

  it('after a kill starts again at the first byte, until the whole video is to be judged', async () => {
    const recording = await record();
    await recording.send(0, 3000);
    const jobId = String(++jobs);
    const read: Uint8Array[] = [];
    // The state after kill -9: the capture stays with the job.
    expect(await rig.parts.store.takeRecording(jobId, 2)).not.toBeNull();
    // No other job takes it.
    await follow(async () => {
      throw new Error('it is taken');
    });
    const again = follow(reading(read), jobId);
    await expect.poll(() => read.length).toBe(1);
    await recording.commit();
    await again;
    expect(Buffer.concat(read).equals(recording.video)).toBe(true);
    expect((await rowOf(rig, recording.id)).state).toBe('judged');

    const other = await record();
    await other.send(0, 3000);
    const killed = String(++jobs);
    for (let start = 0; start < 2; start++) await rig.parts.store.takeRecording(killed, 2);
    await other.commit();
    expect(await rowOf(rig, other.id)).toMatchObject({ state: 'submitted', taken_by: Number(killed) });
    const before = await countJobs(rig);
    expect(await rig.parts.store.takeRecording(killed, 2)).toBeNull();
    expect(await rowOf(rig, other.id)).toMatchObject({ taken_by: null });
    expect(await countJobs(rig)).toBe(before + 1);
    await judgeWhole(other.id);
    expect((await rowOf(rig, other.id)).state).toBe('judged');
  });
});
