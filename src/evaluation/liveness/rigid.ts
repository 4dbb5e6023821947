// Detects a face that moves only as a picture moves: a photograph that is still, panned, waved or under fresh noise.

import { asksForMovement } from '../../contract/script.ts';
import type { FaceObservation } from '../face/observation.ts';
import { atLeast, type Check, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import { MAX_JUMP, stepsOfShape } from './jumps.ts';
import { shapeChange } from './shape-change.ts';
import { unlessUnclear, whyTooFew } from './visibility.ts';

/** A smile, a word or a blink shows between frames this far apart. Chosen, not measured. */
const LAG_MS = 240;
/** Frames further apart are not compared. Chosen, not measured. */
const MAX_LAG_MS = 450;
/** The cue is the third largest change: one movement lasts that long, one bad mesh does not. Chosen, not measured. */
const RANK = 3;
/**
 * How much a photograph's mesh changes, in eye distances: at rest, and per eye distance by which the picture moves,
 * because the mesh network errs more on a moving face. A person who sits still is thus not compared with a waved
 * photograph.
 */
const STILL_CHANGE = 0.011;
const CHANGE_PER_MOVEMENT = 0.055;
/**
 * In units of that change: 31 photographs under noise, lying, panned, waved and held by hand 0.2–0.86; genuine clips
 * 1.15 (a person who hardly moves in 9 s) to 30. Two cross-faded photographs 1.6–2.6: these are left to the script.
 */
const MIN_CHANGE = 1;
/** With fewer pairs, the rank means nothing. Chosen, not measured. */
const MIN_PAIRS = 8;

export const rigid: Check = {
  cue: 'rigid',
  role: gate('spoof'),
  refuses: ['still', 'panned_still'],
  run,
};

/**
 * Shape change within a quarter of a second, divided by what a photograph that moves as much would show; third largest
 * of the clip. Changes across a cut are left out. A person who is not asked to move and keeps still does look like a
 * photograph: a still phone selfie came as low, while its own replay held by hand passed.
 */
function run(evidence: CaptureEvidence): Outcome {
  const { observations, script } = evidence;
  const cuts = stepsOfShape(observations).filter(({ jump }) => jump > MAX_JUMP);
  const changes: number[] = [];
  for (const [i, { face, timeMs }] of observations.entries()) {
    const later = laterFace(observations, i);
    if (!face || !later?.face || cuts.some(({ fromMs, toMs }) => timeMs <= fromMs && toMs <= later.timeMs))
      continue;
    const { eyeDistancePx } = later.face;
    const photograph =
      STILL_CHANGE + CHANGE_PER_MOVEMENT * movement(face.landmarks, later.face.landmarks, eyeDistancePx);
    changes.push(shapeChange(face.landmarks, later.face.landmarks, eyeDistancePx) / photograph);
  }
  if (changes.length < MIN_PAIRS) return notEvaluated(whyTooFew(evidence));
  const ranked = changes.toSorted((a, b) => b - a);
  const outcome = atLeast(ranked[RANK - 1]!, MIN_CHANGE, 'rigid_face');
  if (outcome.status === 'failed' && !asksForMovement(script)) return notEvaluated('too_still');
  return unlessUnclear(evidence, outcome);
}

function laterFace(observations: readonly FaceObservation[], from: number): FaceObservation | null {
  const { timeMs } = observations[from]!;
  const later = observations.slice(from + 1).find((other) => other.timeMs - timeMs >= LAG_MS);
  return later && later.timeMs - timeMs <= MAX_LAG_MS ? later : null;
}

/** Root mean square displacement of the mesh's points, in eye distances. */
function movement(moved: Float32Array, still: Float32Array, eyeDistancePx: number): number {
  let sum = 0;
  for (let i = 0; i < moved.length; i += 3)
    sum += (moved[i]! - still[i]!) ** 2 + (moved[i + 1]! - still[i + 1]!) ** 2;
  return Math.sqrt(sum / (moved.length / 3)) / eyeDistancePx;
}
