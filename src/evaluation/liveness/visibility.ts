// Whether a video shows enough for its stillness or its jumps to mean something: in the dark a coder leaves pixels as
// they were for many frames, and a face of a few pixels does not move by a whole one.
import { isClear } from '../identity.ts';
import type { FrameFlaw, FrameQuality } from '../quality/frame-quality.ts';
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

/** What is told about a frame with this flaw. */
const TOLD: Partial<Record<FrameFlaw, ReasonCode>> = {
  too_small: 'too_far',
  dark: 'too_dark',
  backlit: 'too_dark',
  burnt_out: 'too_bright',
  blurred: 'blurred',
  occluded: 'view_broken',
};

/** Why too few frames can be used: the commonest cause where half of them cannot be; otherwise the recording is short. */
export function whyTooFew({ observations, selection }: VideoEvidence): ReasonCode {
  const counts = new Map<ReasonCode, number>();
  let usable = 0;
  for (const [i, { face }] of observations.entries()) {
    const cause = face ? causeOf(selection.quality[i] ?? null) : 'face_missing';
    if (cause) counts.set(cause, (counts.get(cause) ?? 0) + 1);
    else usable++;
  }
  const [commonest] = [...counts].sort(([, a], [, b]) => b - a);
  return commonest && usable <= observations.length / 2 ? commonest[0] : 'too_few_frames';
}

/** What is told about a frame that is not clear; null if it is. */
function causeOf(quality: FrameQuality | null): ReasonCode | null {
  if (!quality || isClear(quality)) return null;
  return quality.flaws.map((flaw) => TOLD[flaw]).find((cause) => cause !== undefined) ?? null;
}

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
