// A jump of the face from one frame to the next: footage put together, or one photograph swapped for another.
import { atMost, type Check, notEvaluated } from './cue.ts';
import { shapeChange } from './shape-change.ts';

/** Frames further apart than this may differ by rights. */
const MAX_STEP_MS = 180;
/** The jump is measured against the largest other step within this many frames. */
const NEIGHBOURS = 4;
/** The mesh network's own noise, in eye distances: keeps two tiny steps from being a jump. */
const NOISE = 0.005;
/** Photograph swapped for photograph 3.3–7.8; genuine clips ≤ 2.5 (bench of issue 2). */
const MAX_JUMP = 3;
const MIN_STEPS = 8;

/** Largest step of the face's shape over the largest step beside it. */
export const cut: Check = ({ observations }) => {
  const steps: number[] = [];
  for (const [i, { face, timeMs }] of observations.entries()) {
    const before = observations[i - 1];
    if (face && before?.face && timeMs - before.timeMs <= MAX_STEP_MS)
      steps.push(shapeChange(before.face.landmarks, face.landmarks, face.eyeDistancePx));
  }
  if (steps.length < MIN_STEPS) return notEvaluated('cut', 'too_few_frames');
  const jumps = steps.map((step, i) => {
    const beside = [
      ...steps.slice(Math.max(0, i - NEIGHBOURS), i),
      ...steps.slice(i + 1, i + 1 + NEIGHBOURS),
    ];
    return step / (Math.max(...beside) + NOISE);
  });
  return atMost('cut', Math.max(...jumps), MAX_JUMP, 'cut');
};
