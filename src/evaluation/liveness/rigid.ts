// A face that moves only as a picture moves: a photograph, still, panned, waved or under fresh noise.
import type { FaceObservation, ObservedFace } from '../face/observation.ts';
import { atLeast, type Check, notEvaluated } from './cue.ts';
import { shapeChange } from './shape-change.ts';
import { quantile } from './statistics.ts';

/** Between frames this far apart a smile or a word shows, and a hard cut touches few pairs. */
const LAG_MS = 250;
const MAX_LAG_MS = 450;
/** The cue is what the most moving tenth of the pairs shows. */
const SHARE = 0.9;
/**
 * Stills under noise, pan, wave and hand movement, and two stills after each other: .001–.0174 (34 rendered clips);
 * genuine clips in which the face does something: .025–.13; a person who holds quite still: .009–.013, who then fails
 * here as a photograph would. A covered mouth .019. Bench of issue 2.
 */
const MIN_CHANGE = 0.02;
const MIN_PAIRS = 8;

/** Shape change that the most moving tenth of quarter-seconds reaches, in eye distances. */
export const rigid: Check = ({ observations }) => {
  const changes: number[] = [];
  for (const [i, { face, timeMs }] of observations.entries()) {
    const later = face && laterFace(observations, i, timeMs);
    if (later) changes.push(shapeChange(face.landmarks, later.landmarks, later.eyeDistancePx));
  }
  if (changes.length < MIN_PAIRS) return notEvaluated('rigid', 'too_few_frames');
  return atLeast('rigid', quantile(changes, SHARE), MIN_CHANGE, 'rigid_face');
};

function laterFace(
  observations: readonly FaceObservation[],
  from: number,
  timeMs: number,
): ObservedFace | null {
  for (let i = from + 1; i < observations.length; i++) {
    const gap = observations[i]!.timeMs - timeMs;
    if (gap >= LAG_MS) return gap <= MAX_LAG_MS ? observations[i]!.face : null;
  }
  return null;
}
