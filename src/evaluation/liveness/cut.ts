// A jump of the face from one frame to the next: footage put together, or one photograph swapped for another.
import { atMost, type Check, notEvaluated, type Shown } from './cue.ts';
import { MAX_JUMP, stepsOfShape } from './jumps.ts';

const MIN_STEPS = 8;

/** Largest step of the face's shape over the largest step beside it. */
export const cut: Check<Shown> = ({ observations }) => {
  const steps = stepsOfShape(observations);
  if (steps.length < MIN_STEPS) return notEvaluated('cut', 'too_few_frames');
  return atMost('cut', Math.max(...steps.map(({ jump }) => jump)), MAX_JUMP, 'cut');
};
