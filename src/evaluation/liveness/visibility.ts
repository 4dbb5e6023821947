// Whether a video shows enough for its stillness or its jumps to mean something: in the dark a coder leaves pixels as
// they were for many frames, and a face of a few pixels does not move by a whole one.
import { MIN_TEMPLATE_EYE_DISTANCE_PX } from '../quality/pose.ts';
import type { ReasonCode } from '../reasons.ts';
import { notEvaluated, type Outcome } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { median } from './statistics.ts';

/**
 * Mean luma of the inner face from which smiles, faces at rest and small movements can be seen: backlit and dim clips
 * at 41 and 49 lost 3 of 3 smiles; at 60 and more, none of 20 was lost.
 */
export const MIN_LIGHT = 60;

/**
 * Least standard deviation of the inner face's luma for smiles to be seen: 16 and more in usual light, near and far. In
 * back light at 10–12, one person's happiest smiles fell from 0.94–0.99 to 0.67–0.94 (bench:pad); they need 0.8, held.
 */
export const MIN_CONTRAST = 14;

/** What the person can improve so that more can be seen; null if enough can. */
export function unclear({ observations, selection }: VideoEvidence): ReasonCode | null {
  const distances = observations.flatMap(({ face }) => face?.eyeDistancePx ?? []);
  if (distances.length === 0) return 'face_missing';
  if (median(distances) < MIN_TEMPLATE_EYE_DISTANCE_PX) return 'too_far';
  const brightness = selection.quality.flatMap((frame) => frame?.brightness ?? []);
  return brightness.length > 0 && median(brightness) < MIN_LIGHT ? 'too_dark' : null;
}

/** Returns the outcome; a failure counts only if enough can be seen, otherwise the check is not evaluated. */
export function unlessUnclear(evidence: VideoEvidence, outcome: Outcome): Outcome {
  const reason = outcome.status === 'failed' ? unclear(evidence) : null;
  return reason ? notEvaluated(reason) : outcome;
}
