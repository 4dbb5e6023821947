// All that is read from the pixels of one frame, as it comes: a video need not be complete for that.
import type { Models } from '../models/load.ts';
import { FaceTracker } from './face/track.ts';
import { type RecognisedFrame, recognise } from './identity.ts';
import { readSkin, type SkinMoment } from './light/skin-steps.ts';
import { FaceScorer } from './pad/score-faces.ts';
import { assessFrame } from './quality/frame-quality.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Frame } from './video/frame.ts';

/** Where reading frames spends its time. */
export const READ_STEPS = ['track', 'quality', 'identity', 'pad', 'light'] as const;

/** What was read from one frame. */
export interface ReadFrame extends RecognisedFrame, SkinMoment {
  /** Score of the PAD pack, of some of the faces. */
  readonly live: number | null;
}

/** One entry for each frame, in their order. No entry depends on what comes later. Rejects with the signal's reason. */
export async function readFrames(
  frames: AsyncIterable<Frame>,
  models: Models,
  watch: Pick<Stopwatch<(typeof READ_STEPS)[number]>, 'time'>,
  signal: AbortSignal | undefined,
): Promise<ReadFrame[]> {
  const tracker = new FaceTracker(models);
  const scorer = new FaceScorer(models.pad);
  const [recogniser] = models.recognisers;
  const read: ReadFrame[] = [];
  for await (const frame of frames) {
    signal?.throwIfAborted();
    const observation = await watch.time('track', () => tracker.observe(frame));
    const { face, timeMs } = observation;
    read.push({
      ...{ timeMs, frame, observation },
      quality: await watch.time('quality', () => face && assessFrame(frame, face)),
      embedding: await watch.time('identity', () => recognise(recogniser, read.length, frame, observation)),
      live: await watch.time('pad', () => scorer.score(frame, observation)),
      skin: await watch.time('light', () => face && readSkin(frame, face)),
    });
  }
  return read;
}
