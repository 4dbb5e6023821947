// Whether there is exactly one face, and whether it can be judged: presence, count, size, pose, light, sharpness.

import { MIN_COLOUR, meanColour } from '../quality/colour.ts';
import { lowerFaceColourShift, MAX_COLOUR_SHIFT } from '../quality/mouth.ts';
import { MAX_BURNT_SHARE, MIN_BRIGHTNESS, MIN_SHARE_OF_SURROUND, MIN_SHARPNESS } from '../quality/pixels.ts';
import { MIN_TEMPLATE_EYE_DISTANCE_PX } from '../quality/pose.ts';
import type { Portrait } from '../quality/select.ts';
import type { ReasonCode } from '../reasons.ts';
import { atLeast, atMost, explains, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { MISSING_ANSWERS } from './prompts.ts';
import { median } from './statistics.ts';
import { MIN_CONTRAST, MIN_LIGHT } from './visibility.ts';

/**
 * The mesh may be lost for a moment in a prompted turn; clips in which the face leaves reach a half (quality bench).
 */
const MIN_FACE_SHARE = 0.8;
/** A single false detection lasts half a second at most (quality bench). */
const MAX_CROWDED_SHARE = 0.15;
/** Least number of portraits for a template. Chosen, not measured. */
const MIN_PORTRAITS = 2;

/** Share of frames with a face. */
export const facePresent: VideoCheck = {
  cue: 'face_present',
  role: gate('face'),
  refuses: [],
  stays: 'a face that is hardly seen cannot be judged',
  run: ({ observations }) => {
    const seen = observations.filter(({ face }) => face !== null).length;
    return atLeast(seen / Math.max(1, observations.length), MIN_FACE_SHARE, 'face_missing');
  },
};

/** Share of frames with a second face. */
export const oneFace: VideoCheck = {
  cue: 'one_face',
  role: gate('face'),
  refuses: ['old_recording_without_turns'],
  run: ({ observations }) => {
    const crowded = observations.filter(({ faceCount }) => faceCount > 1).length;
    return atMost(crowded / Math.max(1, observations.length), MAX_CROWDED_SHARE, 'several_faces');
  },
};

/** Median eye distance of the judged frames, in pixels. */
export const faceSize: VideoCheck = {
  cue: 'face_size',
  role: gate('face'),
  refuses: [],
  stays: 'a smaller face makes a poor template',
  run: ({ observations }) => {
    const distances = observations.flatMap(({ face }) => face?.eyeDistancePx ?? []);
    if (distances.length === 0) return notEvaluated('face_missing');
    return atLeast(median(distances), MIN_TEMPLATE_EYE_DISTANCE_PX, 'too_far');
  },
};

/** Number of portraits: stretches of the clip in which the face looks ahead. */
export const frontal: VideoCheck = {
  cue: 'frontal',
  role: gate('face'),
  refuses: [],
  stays: 'a template needs portraits',
  run: ({ selection, observations }) => {
    if (observations.every(({ face }) => face === null)) return notEvaluated('face_missing');
    return atLeast(selection.portraits.length, MIN_PORTRAITS, selection.missing ?? 'not_frontal');
  },
};

/** Mean luma of the inner face, 0–255. */
export const brightness: VideoCheck = {
  cue: 'brightness',
  role: gate('face'),
  refuses: [],
  stays: 'a darker face makes a poor template',
  run: (evidence) => onPortraits(evidence, (p) => p.brightness, { least: MIN_BRIGHTNESS }, 'too_dark'),
};

/**
 * The same, its contrast and its share of the surround's luma, each as a multiple of what the expression network needs,
 * the least of them: below 1, smiles and faces at rest are missed, and a face looks like a picture to the PAD network.
 */
export const light: VideoCheck = {
  cue: 'light',
  role: explains(...MISSING_ANSWERS, 'pad_pack'),
  refuses: [],
  stays: 'it says what to improve',
  run: (evidence) => onPortraits(evidence, lightOf, { least: 1 }, 'too_dark'),
};

/** Share of burnt-out pixels in the inner face. */
export const burntOut: VideoCheck = {
  cue: 'burnt_out',
  role: gate('face'),
  refuses: [],
  stays: 'a burnt-out face makes a poor template',
  run: (evidence) => onPortraits(evidence, (p) => p.burntShare, { most: MAX_BURNT_SHARE }, 'too_bright'),
};

/** Colour of the face. Without any, a face looks like a picture to the PAD network: that is true, and told instead. */
export const colour: VideoCheck = {
  cue: 'colour',
  role: explains('pad_pack'),
  refuses: [],
  stays: 'it says what to improve',
  run: ({ selection: { best, missing } }) => {
    if (!best) return notEvaluated(missing ?? 'not_frontal');
    return atLeast(meanColour(best.frame, best.face), MIN_COLOUR, 'no_colour');
  },
};

/** Fine detail relative to the contrast. */
export const sharpness: VideoCheck = {
  cue: 'sharpness',
  role: gate('face'),
  refuses: [],
  stays: 'a blurred face makes a poor template',
  run: (evidence) => onPortraits(evidence, (p) => p.sharpness, { least: MIN_SHARPNESS }, 'blurred'),
};

/** Colour of the lower face compared with the forehead's. Explains a smile that was not seen; see fusion.ts. */
export const mouthVisible: VideoCheck = {
  cue: 'mouth_visible',
  role: explains('smile_missing'),
  refuses: [],
  stays: 'it says what to improve',
  run: ({ selection: { best, missing } }) => {
    if (!best) return notEvaluated(missing ?? 'not_frontal');
    const shift = lowerFaceColourShift(best.frame, best.face);
    return shift === null ? notEvaluated('not_applicable') : atMost(shift, MAX_COLOUR_SHIFT, 'mouth_covered');
  },
};

function lightOf({ brightness, contrast, surround }: Portrait): number {
  const share = brightness / Math.max(1, surround);
  return Math.min(brightness / MIN_LIGHT, contrast / MIN_CONTRAST, share / MIN_SHARE_OF_SURROUND);
}

function onPortraits(
  { selection: { portraits, missing } }: VideoEvidence,
  measure: (portrait: Portrait) => number,
  limit: { least: number } | { most: number },
  reason: ReasonCode,
): Outcome {
  if (portraits.length === 0) return notEvaluated(missing ?? 'not_frontal');
  const value = median(portraits.map(measure));
  return 'least' in limit ? atLeast(value, limit.least, reason) : atMost(value, limit.most, reason);
}
