// A face that moves only as a picture moves: a photograph, still, panned, waved or under fresh noise.
import type { FaceObservation } from '../face/observation.ts';
import { atLeast, type Check, notEvaluated } from './cue.ts';
import { MAX_JUMP, stepsOfShape } from './jumps.ts';
import { shapeChange } from './shape-change.ts';

/** Between frames this far apart a smile, a word or a blink shows. */
const LAG_MS = 240;
const MAX_LAG_MS = 450;
/** The cue is the third largest change: one movement lasts as long, one bad mesh does not. */
const RANK = 3;
/**
 * Stills, under noise, panned, waved and held by hand, and two of them after each other: .0007–.020 (38 rendered
 * clips); genuine clips with one smile and more .030–.25; a person who holds quite still throughout .015, who then
 * fails here as a photograph would. Bench of issue 2.
 */
const MIN_CHANGE = 0.025;
const MIN_PAIRS = 8;

/** Shape change within a quarter of a second, third largest of the clip, in eye distances. Changes across a cut are left out. */
export const rigid: Check = ({ observations }) => {
  const cuts = stepsOfShape(observations).filter(({ jump }) => jump > MAX_JUMP);
  const changes: number[] = [];
  for (const [i, { face, timeMs }] of observations.entries()) {
    const later = laterFace(observations, i);
    if (!face || !later?.face || cuts.some(({ fromMs, toMs }) => timeMs <= fromMs && toMs <= later.timeMs))
      continue;
    changes.push(shapeChange(face.landmarks, later.face.landmarks, later.face.eyeDistancePx));
  }
  if (changes.length < MIN_PAIRS) return notEvaluated('rigid', 'too_few_frames');
  const ranked = changes.toSorted((a, b) => b - a);
  return atLeast('rigid', ranked[RANK - 1]!, MIN_CHANGE, 'rigid_face');
};

function laterFace(observations: readonly FaceObservation[], from: number): FaceObservation | null {
  const { timeMs } = observations[from]!;
  const later = observations.slice(from + 1).find((other) => other.timeMs - timeMs >= LAG_MS);
  return later && later.timeMs - timeMs <= MAX_LAG_MS ? later : null;
}
