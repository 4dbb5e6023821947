// Detects a jump of the face from one frame to the next: assembled footage, or one photograph swapped for another.
import { atMost, notEvaluated, type Outcome, soft, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { MAX_JUMP, stepsOfShape } from './jumps.ts';
import { unlessUnclear } from './visibility.ts';

/** With fewer steps there is too little to compare a jump with. Chosen, not measured. */
const MIN_STEPS = 8;

export const cut: VideoCheck = { cue: 'cut', role: soft(0.6), run };

/** Largest ratio of a step of the face's shape to the largest step beside it. */
function run(evidence: VideoEvidence): Outcome {
  const steps = stepsOfShape(evidence.observations);
  if (steps.length < MIN_STEPS) return notEvaluated('too_few_frames');
  return unlessUnclear(evidence, atMost(Math.max(...steps.map(({ jump }) => jump)), MAX_JUMP, 'cut'));
}
