// A turning head shows its relief: the nose moves differently from the cheeks. A picture that is turned stays a plane.

import { atLeast, type Check, notEvaluated, type Outcome, soft } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import type { TurnMotion } from './motion/measure.ts';
import { median } from './statistics.ts';
import { turnSteps } from './windows.ts';

/**
 * Residual of a homography divided by that of a similarity, for points followed through a turn. Flat pictures turned
 * under noise and VP9 0.11–0.34 (12 clips), true turns 0.52–0.99 (35 turns of 7 people in public footage).
 */
const MIN_RATIO = 0.42;
/** An answer may begin before its prompt's window ends and last beyond it. Chosen, not measured. */
const AFTER_STEP_MS = 600;

export const parallax: Check = { cue: 'parallax', role: soft(0.7), run };

/** Median ratio of the turns that the script asked for, or of every turn if there is no script. */
function run(evidence: CaptureEvidence): Outcome {
  const turns = turnsAskedFor(evidence);
  if (turns.length === 0) return notEvaluated('not_applicable');
  return atLeast(median(turns.map(({ ratio }) => ratio)), MIN_RATIO, 'flat_turn');
}

function turnsAskedFor({ motion, script }: CaptureEvidence): readonly TurnMotion[] {
  if (!script) return motion.turns;
  const steps = turnSteps(script);
  return motion.turns.filter(({ fromMs, toMs }) =>
    steps.some((step) => toMs >= step.from_ms && fromMs <= step.to_ms + AFTER_STEP_MS),
  );
}
