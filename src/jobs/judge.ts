// The `judge` task: takes the submitted capture whose turn it is, has src/evaluation judge its video, and gives the
// judgement to src/challenge. Safe to run twice; a video that keeps crashing its worker is not retried forever.
import { createHash } from 'node:crypto';
import { Fault } from '../base/errors.ts';
import type { Capture } from '../challenge/challenge.ts';
import { settleUnavailable, settleUnjudgeable } from '../challenge/closing/settle-judgement.ts';
import type { ChallengeParts } from '../challenge/parts.ts';
import { FAULT_PATIENCE_MS, MAX_JUDGEMENT_STARTS } from '../challenge/settings.ts';
import type { Judgement as Evaluated, JudgeInput } from '../evaluation/judge.ts';
import { readFacts } from './capture-facts.ts';
import type { JudgementLock } from './judgement-lock.ts';
import type { KeptJudgements } from './kept-judgements.ts';
import type { Task } from './runner.ts';
import { judgedOf, type SettleParts, settle } from './settle.ts';

/** Name of the task in the queue. Its jobs do not name a capture: each is a token for one judgement. */
export const JUDGE_TASK = 'judge';

export interface JudgeParts extends SettleParts {
  /** Shared with the `follow` task of this process, as is the next. */
  readonly judgementLock: JudgementLock;
  readonly keptJudgements: KeptJudgements;
  readonly assets: ChallengeParts['assets'];
  /** src/evaluation's judge over the loaded models. */
  readonly judge: (
    input: Pick<JudgeInput, 'video' | 'script' | 'references' | 'submission'>,
  ) => Promise<Evaluated>;
}

/** The video is lost, or its evaluation failed or did not finish: it is retried, but the attempt counts. */
class CountedFailure extends Error {}

type Taken = NonNullable<Awaited<ReturnType<JudgeParts['store']['takeCapture']>>>;

/** A counted attempt is retried after 2, 4, … seconds. */
const COUNTED_PAUSE_MS = 1_000;
/** After a fault of the machine the pause is a quarter of the time since the first fault. */
const FAULT_PAUSE = { share: 1 / 4, leastMs: 1_000, mostMs: 30_000 };

/** Makes the task. It ends with its capture settled or put back; it throws only when the database is unavailable. */
export function createJudgeTask(parts: JudgeParts): Task {
  return async (_payload, job) => {
    // Counted before the work, so that a video that crashes this process has been counted.
    const taken = await parts.store.takeCapture(job.id);
    // Nothing is waiting, or it is taken or not due yet: each capture has its own token.
    if (!taken) return;
    const ids = { capture: taken.capture.id, challenge: taken.challenge.id };
    if (taken.capture.judgementStarts > MAX_JUDGEMENT_STARTS) {
      parts.log.error(ids, 'no judgement of this capture finished; the person is asked to record again');
      await settleUnjudgeable(parts, taken);
      return;
    }
    const work = () => judgeAndSettle(parts, taken);
    try {
      const kept = parts.keptJudgements.find(taken.capture.id);
      if (kept) {
        await settle(parts, taken, kept);
        return parts.keptJudgements.forget(taken.capture.id);
      }
      // An earlier judgement broke off, perhaps with its process: if it does so again, it is this video's doing alone.
      await (taken.capture.judgementStarts > 1 ? parts.judgementLock.exclusive(work) : work());
    } catch (error) {
      await afterFault(parts, taken, error);
    }
  };
}

async function judgeAndSettle(parts: JudgeParts, taken: Taken): Promise<void> {
  const [video, facts] = await Promise.all([readVideo(parts, taken.capture), readFacts(parts, taken)]);
  const evaluated = await evaluate(parts, { ...facts.context, video });
  // The decoder was starved of CPU: the person's video is not at fault.
  if (evaluated.status === 'notJudged' && evaluated.reason === 'decode_timeout')
    throw new CountedFailure('the decoder did not finish in time; the machine is overloaded');
  const hashed = { sha256: createHash('sha256').update(video).digest('hex'), size_bytes: video.length };
  await settle(parts, taken, judgedOf(parts, { evaluated, facts, video: hashed, followed: false }));
}

/** Puts the capture back to be judged again; after a long fault of the machine, the person is asked to record again. */
async function afterFault(parts: JudgeParts, taken: Taken, err: unknown): Promise<void> {
  const { capture, challenge, faultMs } = taken;
  const ids = { capture: capture.id, challenge: challenge.id };
  if (err instanceof CountedFailure) {
    parts.log.error({ err, ...ids }, 'a judgement failed and will be retried');
    const afterMs = COUNTED_PAUSE_MS * 2 ** capture.judgementStarts;
    await parts.store.putBack(capture.id, { afterMs, counted: true });
    return;
  }
  if (faultMs >= FAULT_PATIENCE_MS) {
    parts.log.error(
      { err, ...ids },
      'a capture could not be judged for too long; the person is asked to record again',
    );
    await settleUnavailable(parts, taken);
    return;
  }
  parts.log.warn({ err, ...ids }, 'a capture cannot be judged right now');
  const { share, leastMs, mostMs } = FAULT_PAUSE;
  const afterMs = Math.min(mostMs, Math.max(leastMs, faultMs * share));
  await parts.store.putBack(capture.id, { afterMs, counted: false });
}

/** Rethrows faults of the machine (a missing decoder, a full disk); blames anything else on the video. */
async function evaluate(parts: JudgeParts, input: Parameters<JudgeParts['judge']>[0]): Promise<Evaluated> {
  try {
    return await parts.judge(input);
  } catch (error) {
    const machine = error instanceof Fault ? error.code !== 'INVARIANT' : isSystemError(error);
    throw machine ? error : new CountedFailure('the evaluation failed on this video', { cause: error });
  }
}

const isSystemError = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.syscall !== undefined;

async function readVideo(parts: JudgeParts, capture: Capture): Promise<Buffer> {
  const asset = capture.assetId && (await parts.store.findAsset(capture.assetId));
  // Erased or cancelled meanwhile; settling will find that too.
  if (!asset) return Buffer.alloc(0);
  try {
    return await parts.assets.get({ ...asset, assetId: asset.id });
  } catch (cause) {
    // Retrying will not help. A store that cannot be reached (ASSET_STORE_FAILED) is waited for.
    const lost = cause instanceof Fault && (cause.code === 'ASSET_MISSING' || cause.code === 'SEAL_BROKEN');
    throw lost ? new CountedFailure('the video is missing or altered', { cause }) : cause;
  }
}
