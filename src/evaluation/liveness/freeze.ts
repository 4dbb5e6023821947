// A picture that stands still: share of source frames that show nothing new.

import { MIN_TEMPLATE_EYE_DISTANCE_PX } from '../quality/pose.ts';
import { THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from '../video/clip.ts';
import { atMost, type Check, notEvaluated, type Shown } from './cue.ts';
import { median } from './statistics.ts';

/** Thumbnail pixels a side of one block: coding noise averages out, a moving lid or lip does not. */
const BLOCK = 4;
/**
 * A frame is new when some block's mean changed by more than this many grey levels. Re-encoded stills: median 0–.12;
 * live clips: lowest tenth .44 (a noiseless studio clip) and more.
 */
const MIN_CHANGE = 0.35;
/** Stills .85–1.0, live ≤ .10 (bench of issue 2, agreeing with issue 4's table). */
const MAX_FROZEN_SHARE = 0.5;

/** Share of source frames, 0–1, that repeat the frame before. A camera's noise hides a still: see rigid.ts. */
export const freeze: Check<Shown> = ({ clip, observations }) => {
  const distances = observations.flatMap(({ face }) => face?.eyeDistancePx ?? []);
  // Where the face is a few pixels wide, or absent, nothing that moves can be expected.
  if (distances.length === 0) return notEvaluated('freeze', 'face_missing');
  if (median(distances) < MIN_TEMPLATE_EYE_DISTANCE_PX) return notEvaluated('freeze', 'too_far');
  const { thumbnails, sourceFrameCount } = clip;
  let frozen = 0;
  for (let i = 1; i < sourceFrameCount; i++)
    if (largestBlockChange(thumbnails, i - 1, i) <= MIN_CHANGE) frozen++;
  return atMost('freeze', frozen / (sourceFrameCount - 1), MAX_FROZEN_SHARE, 'frozen');
};

/** Largest change of a block's mean between two thumbnails, in grey levels. */
function largestBlockChange(thumbnails: Uint8Array, before: number, after: number): number {
  const size = THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;
  let largest = 0;
  for (let top = 0; top < THUMBNAIL_HEIGHT; top += BLOCK) {
    for (let left = 0; left < THUMBNAIL_WIDTH; left += BLOCK) {
      let change = 0;
      for (let y = top; y < top + BLOCK; y++) {
        const row = y * THUMBNAIL_WIDTH;
        for (let x = left; x < left + BLOCK; x++)
          change += thumbnails[after * size + row + x]! - thumbnails[before * size + row + x]!;
      }
      largest = Math.max(largest, Math.abs(change));
    }
  }
  return largest / (BLOCK * BLOCK);
}
