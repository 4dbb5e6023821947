// A turned head shows its relief: the nose moves otherwise than the cheeks. A picture that is turned stays a plane.

import { atLeast, type Check, type Evidence, notEvaluated } from './cue.ts';
import type { TurnMotion } from './motion/measure.ts';
import { median } from './statistics.ts';
import { stepsOf } from './windows.ts';

/**
 * What a homography leaves over what a similarity leaves, of points followed through a turn. Flat pictures turned
 * under noise and VP9 .11–.34 (12 clips), true turns .52–.99 (35 turns of 7 people in public footage).
 */
const MIN_RATIO = 0.42;
/** An answer may begin before its prompt's window ends and last beyond it. */
const AFTER_STEP_MS = 600;

/** Median ratio of the turns that the script asked for; of every turn where there is no script. */
export const parallax: Check = (evidence) => {
  const turns = turnsAskedFor(evidence);
  if (turns.length === 0) return notEvaluated('parallax', 'not_applicable');
  return atLeast('parallax', median(turns.map(({ ratio }) => ratio)), MIN_RATIO, 'flat_turn');
};

function turnsAskedFor({ motion, script }: Evidence): readonly TurnMotion[] {
  if (!script) return motion.turns;
  const steps = stepsOf(script, 'turn_left', 'turn_right');
  return motion.turns.filter(({ fromMs, toMs }) =>
    steps.some((step) => toMs >= step.from_ms && fromMs <= step.to_ms + AFTER_STEP_MS),
  );
}
