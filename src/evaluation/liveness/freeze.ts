// A picture that stands still: share of source frames that show nothing new.

import { MIN_TEMPLATE_EYE_DISTANCE_PX } from '../quality/pose.ts';
import { atMost, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { median } from './statistics.ts';
import { isRepeated } from './thumbnails.ts';

/** Stills .85–1.0, live ≤ .10 (bench of issue 2, agreeing with issue 4's table). */
const MAX_FROZEN_SHARE = 0.5;

export const freeze: VideoCheck = { cue: 'freeze', role: gate('spoof'), run };

/** Share of source frames, 0–1, that repeat the frame before. A camera's noise hides a still: see rigid.ts. */
function run({ clip, observations }: VideoEvidence): Outcome {
  const distances = observations.flatMap(({ face }) => face?.eyeDistancePx ?? []);
  // Where the face is a few pixels wide, or absent, nothing that moves can be expected.
  if (distances.length === 0) return notEvaluated('face_missing');
  if (median(distances) < MIN_TEMPLATE_EYE_DISTANCE_PX) return notEvaluated('too_far');
  const { sourceFrameCount } = clip;
  let frozen = 0;
  for (let i = 1; i < sourceFrameCount; i++) if (isRepeated(clip, i)) frozen++;
  return atMost(frozen / (sourceFrameCount - 1), MAX_FROZEN_SHARE, 'frozen');
}
