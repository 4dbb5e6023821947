// A person whose device answers seconds or minutes after the recording: its judgement waits without occupying anything,
// and counts as ended. Whatever happens to it meanwhile, the answer leads to a result.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
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
/** Whether each settled capture was judged while it was recorded. */
const followed: boolean[] = [];
let jobs = 2_000_000;

const readToEnd: JudgeGrowing = async ({ video, context }) => {
  for await (const _ of video as AsyncIterable<Uint8Array>);
  await context();
  return passing();
};

/** The tasks of one worker process. */
function startWorker(changes: Pick<FollowParts, 'store'> = rig.parts) {
  const judgementLock = createJudgementLock();
  const parts = {
    ...rig.parts,
    ...changes,
    featids: rig.featids,
    judgementLock,
    keptJudgements: createKeptJudgements(),
    engine: SOME_ENGINE,
    observe: (judged: { followed: boolean }) => followed.push(judged.followed),
    log: createLogger({ level: 'silent', process: 'test' }),
  };
  const { signal } = new AbortController();
  return {
    judgementLock,
    follow: (judgeGrowing = readToEnd, jobId = String(++jobs)) =>
      createFollowTask({ ...parts, signal, judgeGrowing })(null, { id: jobId }),
    judge: (captureId: string) =>
      inTurn(rig, captureId, (id) =>
        createJudgeTask({ ...parts, judge: async () => passing() })(null, { id }),
      ),
  };
}

interface SlowRecording extends Recording {
  /** Ends the recording, and sends the rest: all but the device's answer is there. */
  complete(): Promise<void>;
  tap(): Promise<void>;
}

/** A recording whose device will be asked, and whose first bytes have arrived. */
async function record(): Promise<SlowRecording> {
  const recording = await beginRecording(rig, await createStarted(rig, { device_binding: 'offer' }));
  const { opened, id, send, commit } = recording;
  await send(0, 1000);
  return {
    ...recording,
    complete: async () => {
      await commit();
      await send(1000, 3000);
    },
    tap: async () => {
      const answered = await rig.services.answerPasskey(opened.link, id, { kind: 'declined' });
      expect(answered).toMatchObject({ status: 'ok', received: { state: 'submitted' } });
    },
  };
}

const WAITING = { state: 'committed', taken_by: null, judgement_starts: 0 };

/** A recording that is judged in this process and waits only for its device. */
async function recordAndFollow({ follow }: ReturnType<typeof startWorker>): Promise<SlowRecording> {
  const recording = await record();
  await Promise.all([follow(), recording.complete()]);
  expect(await rowOf(rig, recording.id)).toMatchObject(WAITING);
  return recording;
}

describe('a recording whose device answers late', () => {
  it('has its result from the judgement that was kept', async () => {
    const worker = startWorker();
    const recording = await recordAndFollow(worker);
    await recording.tap();
    await worker.judge(recording.id);
    expect(followed.pop()).toBe(true);
    expect(await resultOf(rig, recording.opened)).toMatchObject({
      overall_result: 'pass',
      device_result: { status: 'none' },
    });
    expect((await receiptOf(rig, recording.opened)).video).toEqual(videoOf(recording.video));
  });

  it('settles at once where the device answers before the judgement ends', async () => {
    const recording = await record();
    await startWorker().follow(async (input) => {
      await recording.complete();
      const judged = await readToEnd(input);
      await recording.tap();
      return judged;
    });
    expect((await rowOf(rig, recording.id)).state).toBe('judged');
  });

  it('is not followed again, and keeps no other recording from being followed', async () => {
    const worker = startWorker();
    const waiting: Recording[] = [];
    // As many as a worker follows.
    for (let count = 0; count < 3; count++) waiting.push(await recordAndFollow(worker));
    await worker.follow(async () => {
      throw new Error('nothing is free');
    });
    for (const { id } of waiting) expect(await rowOf(rig, id)).toMatchObject(WAITING);
    await recordAndFollow(worker);
  });

  it('is judged from the start, and not as one that broke off, after its process died', async () => {
    const recording = await recordAndFollow(startWorker());
    const another = startWorker();
    let release = () => {};
    // Judged exclusively, it would wait for the recordings that are being followed.
    const following = another.judgementLock.shared(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    await recording.tap();
    await another.judge(recording.id);
    expect(followed.pop()).toBe(false);
    expect(await rowOf(rig, recording.id)).toMatchObject({ state: 'judged', judgement_starts: 1 });
    release();
    await following;
  });

  it('is followed again by the job whose process died over it', async () => {
    const recording = await record();
    const jobId = String(++jobs);
    // The state after kill -9: the capture stays with the job.
    expect(await rig.parts.store.takeRecording(jobId, 2)).not.toBeNull();
    await recording.complete();
    const worker = startWorker();
    await worker.follow(readToEnd, jobId);
    // The start that broke off stays counted.
    expect(await rowOf(rig, recording.id)).toMatchObject({ ...WAITING, judgement_starts: 1 });
    await recording.tap();
    await worker.judge(recording.id);
    expect(followed.pop()).toBe(true);
    expect((await rowOf(rig, recording.id)).state).toBe('judged');
  });

  it('is not lost where the device answers just before the judgement is put by', async () => {
    const recording = await record();
    const store: FollowParts['store'] = {
      ...rig.parts.store,
      releaseJudgedRecording: async (...released) => {
        await recording.tap();
        // Its token finds it taken.
        await worker.judge(recording.id);
        await rig.parts.store.releaseJudgedRecording(...released);
      },
    };
    const worker = startWorker({ store });
    const before = await countJobs(rig);
    await Promise.all([worker.follow(), recording.complete()]);
    expect(await rowOf(rig, recording.id)).toMatchObject({ ...WAITING, state: 'submitted' });
    expect(await countJobs(rig)).toBe(before + 2);
    await worker.judge(recording.id);
    expect(followed.pop()).toBe(true);
    expect((await rowOf(rig, recording.id)).state).toBe('judged');
  });
});
