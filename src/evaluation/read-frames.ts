// Everything that is read from the pixels of each frame, as the frame arrives. The video need not be complete for this,
// and frames need not be kept unless they may become portraits.
import type { Models } from '../models/load.ts';
import { FaceTracker } from './face/track.ts';
import { type RecognisedFrame, recognise } from './identity.ts';
import { FaceScorer } from './pad/score-faces.ts';
import { PortraitCandidates } from './quality/candidates.ts';
import { assessFrame } from './quality/frame-quality.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { Frame } from './video/frame.ts';

/** Where reading frames spends its time. */
export const READ_STEPS = ['track', 'quality', 'identity', 'pad'] as const;

/** What was read from one frame. */
export interface ReadFrame extends RecognisedFrame {
  /** Score of the PAD pack; null for faces that are not scored. */
  readonly live: number | null;
}

/**
 * Reads the frames of a video, at most `portraits` of which will be chosen as portraits: one entry for each frame, in
 * their order. No entry depends on later frames. Rejects with the signal's reason.
 */
export async function readFrames(
  frames: AsyncIterable<Frame>,
  portraits: number,
  models: Models,
  watch: Pick<Stopwatch<(typeof READ_STEPS)[number]>, 'time'>,
  signal: AbortSignal | undefined,
): Promise<ReadFrame[]> {
  const tracker = new FaceTracker(models);
  const scorer = new FaceScorer(models.pad);
  const candidates = new PortraitCandidates(portraits);
  const [recogniser] = models.recognisers;
  const read: Omit<ReadFrame, 'frame'>[] = [];
  for await (const frame of frames) {
    signal?.throwIfAborted();
    const observation = await watch.time('track', () => tracker.observe(frame));
    const { face } = observation;
    const quality = await watch.time('quality', () => face && assessFrame(frame, face));
    read.push({
      observation,
      quality,
      embedding: await watch.time('identity', () => recognise(recogniser, read.length, frame, observation)),
      live: await watch.time('pad', () => scorer.score(frame, observation)),
    });
    candidates.add({ frame, observation, quality });
  }
  const kept = candidates.frames();
  return read.map((each) => ({ ...each, frame: kept.get(each.observation.timeMs) ?? null }));
}
