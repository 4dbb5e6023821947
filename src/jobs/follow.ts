// The `follow` task: takes a recording that has begun to arrive and judges it as it arrives, so that little is left to
// do at its end. If anything prevents that, the capture is left to the `judge` task, which handles faults.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { RecordingEnded, readGrowing } from '../challenge/capturing/growing-video.ts';
import { waitsForPasskey } from '../challenge/capturing/passkey-ask.ts';
import type { Capture, Challenge } from '../challenge/challenge.ts';
import type { ChallengeParts } from '../challenge/parts.ts';
import { MAX_JUDGEMENT_STARTS } from '../challenge/settings.ts';
import type { ReceiptFacts } from '../contract/receipt.ts';
import type { Judgement as Evaluated, GrowingJudgeInput } from '../evaluation/judge.ts';
import { DEFAULT_SETTINGS } from '../evaluation/settings.ts';
import { type CaptureFacts, readFacts } from './capture-facts.ts';
import type { JudgementLock } from './judgement-lock.ts';
import type { KeptJudgements } from './kept-judgements.ts';
import type { Task } from './runner.ts';
import { judgedOf, type SettleParts, settle } from './settle.ts';

/** Name of the task in the queue. Its jobs do not name a capture: each is a token for one recording. */
export const FOLLOW_TASK = 'follow';

export interface FollowParts extends SettleParts {
  /** Shared with the `judge` task of this process, as is the next. */
  readonly judgementLock: JudgementLock;
  readonly keptJudgements: KeptJudgements;
  readonly assets: ChallengeParts['assets'];
  /** Aborts when the process must end; recordings in progress are left to others. */
  readonly signal: AbortSignal;
  /** src/evaluation's judge of growing videos over the loaded models. */
  readonly judgeGrowing: (
    input: Pick<GrowingJudgeInput, 'video' | 'context' | 'onFilm'>,
  ) => Promise<Evaluated>;
}

/** States of a recording that has ended and can be judged. */
const COMPLETE: ReadonlySet<Capture['state']> = new Set(['committed', 'submitted']);

type Taken = { readonly capture: Capture; readonly challenge: Challenge };
type TakenRecording = NonNullable<Awaited<ReturnType<FollowParts['store']['takeRecording']>>>;

/** The last start is reserved for the `judge` task: a video that crashes its worker is not followed endlessly. */
const MAX_FOLLOWED_STARTS = MAX_JUDGEMENT_STARTS - 1;
/**
 * Time from the last byte to the asset. A store that takes longer has a fault, and the `judge` task waits for it
 * instead.
 */
const SUBMITTED_WITHIN_MS = 30_000;
/** A film may be this much longer than its capture is old: times in files are not exact. Chosen, not measured. */
const AHEAD_MS = 1_000;
/** Pixels of a followed film, for each millisecond: with more, the longest one would be over the limit of pixels. */
const { maxDecodedPixels, judgedMs } = DEFAULT_SETTINGS.video;
const MOST_PIXELS_PER_MS = maxDecodedPixels / judgedMs;
/** Length of film from which its rate is known. Chosen, not measured. */
const RATE_KNOWN_MS = 1_000;
const POLL_MS = 50;

/** Makes the task. It ends with its capture settled, or judged but for its device, or left to the `judge` task. */
export function createFollowTask(parts: FollowParts): Task {
  return (_payload, job) => parts.judgementLock.shared(() => followNext(parts, job.id));
}

async function followNext(parts: FollowParts, jobId: string): Promise<void> {
  const taken = await parts.store.takeRecording(jobId, MAX_FOLLOWED_STARTS);
  if (!taken) return;
  try {
    await followAndSettle(parts, taken);
  } catch (err) {
    if (!(err instanceof RecordingEnded))
      parts.log.warn({ err, capture: taken.capture.id }, 'a recording cannot be followed to its end');
    await parts.store.releaseRecording(taken.capture.id);
  }
}

async function followAndSettle(parts: FollowParts, taken: TakenRecording): Promise<void> {
  const { id } = taken.capture;
  let facts: CaptureFacts | null = null;
  const hashed = new HashedBytes(readGrowing(parts, taken, parts.signal));
  const ageMs = ageOf(taken);
  const evaluated = await parts.judgeGrowing({
    video: hashed,
    onFilm: ({ lengthMs, pixels }) => {
      // No film of a script is longer than the script is old.
      if (lengthMs > ageMs() + AHEAD_MS) throw new RecordingEnded('ahead_of_time');
      // Four times what the page asks a camera for. It is judged when it is complete, in its turn.
      if (lengthMs > RATE_KNOWN_MS && pixels > lengthMs * MOST_PIXELS_PER_MS)
        throw new RecordingEnded('too_costly');
    },
    context: async () => {
      const complete = await parts.store.findCapture(id);
      // Abandoned since its last byte: its announcements are deleted, and its frames must not be remembered.
      if (!complete || !COMPLETE.has(complete.capture.state)) throw new RecordingEnded('given_up');
      facts = await readFacts(parts, complete);
      return facts.context;
    },
  });
  // Refused before its end: whether the video is at fault is decided on the whole of it.
  if (evaluated.status === 'notJudged' || !facts) throw new RecordingEnded('given_up');
  const judged = judgedOf(parts, { evaluated, facts, video: hashed.digest(), followed: true });
  const submitted = await untilSubmitted(parts, id);
  if (submitted) return settle(parts, submitted, judged);
  // Kept before it is released, so that the answer finds it.
  parts.keptJudgements.keep(id, judged);
  await parts.store.releaseJudgedRecording(id);
}

/** The capture's age in milliseconds, by the database's clock when it was taken and this process's since. */
function ageOf({ capture, readAt }: TakenRecording): () => number {
  const issuedMs = performance.now() - (readAt.getTime() - capture.issuedAt.getTime());
  return () => performance.now() - issuedMs;
}

/** Passes bytes to one reader, and gives their hash after the last one. */
class HashedBytes implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncIterable<Uint8Array>;
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#bytes = bytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#bytes) {
      this.#hash.update(chunk);
      this.#sizeBytes += chunk.length;
      yield chunk;
    }
  }

  digest(): ReceiptFacts['video'] {
    return { sha256: this.#hash.digest('hex'), size_bytes: this.#sizeBytes };
  }
}

/**
 * Resolves with the capture once its bytes are an asset, which means that they matched the announcements; with null if
 * that waits for the person's device, which may take minutes.
 */
async function untilSubmitted({ store }: FollowParts, captureId: string): Promise<Taken | null> {
  const untilMs = performance.now() + SUBMITTED_WITHIN_MS;
  for (;;) {
    const now = await store.findCapture(captureId);
    if (now?.capture.state === 'submitted') return now;
    if (now?.capture.state !== 'committed' || performance.now() > untilMs)
      throw new RecordingEnded('given_up');
    if (waitsForPasskey(now.capture)) return null;
    await delay(POLL_MS);
  }
}
