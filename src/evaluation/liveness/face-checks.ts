// Is there exactly one face, and can it be judged: presence, count, size, pose, light, sharpness.

import { lowerFaceColourShift, MAX_COLOUR_SHIFT } from '../quality/mouth.ts';
import { MAX_BURNT_SHARE, MIN_BRIGHTNESS, MIN_SHARPNESS } from '../quality/pixels.ts';
import { MIN_TEMPLATE_EYE_DISTANCE_PX } from '../quality/pose.ts';
import type { Portrait } from '../quality/select.ts';
import type { ReasonCode } from '../reasons.ts';
import { atLeast, atMost, type Check, type Cue, type CueName, notEvaluated, type Shown } from './cue.ts';
import { median } from './statistics.ts';

/** Share of frames with a face. A prompted turn may lose the mesh for a moment; `face_leaves` clips stay at half. */
export const facePresent: Check<Shown> = ({ observations }) => {
  const seen = observations.filter(({ face }) => face !== null).length;
  return atLeast('face_present', seen / Math.max(1, observations.length), 0.8, 'face_missing');
};

/** Share of frames with a second face; a single false detection lasts half a second at most. */
export const oneFace: Check<Shown> = ({ observations }) => {
  const crowded = observations.filter(({ faceCount }) => faceCount > 1).length;
  return atMost('one_face', crowded / Math.max(1, observations.length), 0.15, 'several_faces');
};

/** Median eye distance in pixels of the judged frames. */
export const faceSize: Check<Shown> = ({ observations }) => {
  const distances = observations.flatMap(({ face }) => face?.eyeDistancePx ?? []);
  if (distances.length === 0) return notEvaluated('face_size', 'face_missing');
  return atLeast('face_size', median(distances), MIN_TEMPLATE_EYE_DISTANCE_PX, 'too_far');
};

/** Stretches of the clip in which the face looks ahead; a template wants at least two. */
export const frontal: Check<Shown> = ({ selection, observations }) => {
  if (observations.every(({ face }) => face === null)) return notEvaluated('frontal', 'face_missing');
  return atLeast('frontal', selection.portraits.length, 2, selection.missing ?? 'not_frontal');
};

/** Mean luma of the inner face, 0–255. */
export const brightness: Check<Shown> = (evidence) =>
  onPortraits(evidence, 'brightness', (p) => p.brightness, { least: MIN_BRIGHTNESS }, 'too_dark');

/** Share of burnt-out pixels in the inner face. */
export const burntOut: Check<Shown> = (evidence) =>
  onPortraits(evidence, 'burnt_out', (p) => p.burntShare, { most: MAX_BURNT_SHARE }, 'too_bright');

/** Fine detail for the contrast there is. */
export const sharpness: Check<Shown> = (evidence) =>
  onPortraits(evidence, 'sharpness', (p) => p.sharpness, { least: MIN_SHARPNESS }, 'blurred');

/** Colour of the lower face against the forehead's. Explains a smile that was not seen; see fusion.ts. */
export const mouthVisible: Check<Shown> = ({ selection: { best, missing } }) => {
  if (!best) return notEvaluated('mouth_visible', missing ?? 'not_frontal');
  return atMost(
    'mouth_visible',
    lowerFaceColourShift(best.frame, best.face),
    MAX_COLOUR_SHIFT,
    'mouth_covered',
  );
};

function onPortraits(
  { selection: { portraits, missing } }: Shown,
  cue: CueName,
  measure: (portrait: Portrait) => number,
  limit: { least: number } | { most: number },
  reason: ReasonCode,
): Cue {
  if (portraits.length === 0) return notEvaluated(cue, missing ?? 'not_frontal');
  const value = median(portraits.map(measure));
  return 'least' in limit ? atLeast(cue, value, limit.least, reason) : atMost(cue, value, limit.most, reason);
}
