// Functions that read the steps of scripts. Separate from the schemas, so that the page does not have to load those.
import type { DrawnScript, DrawnStep, ScriptStep } from './script.ts';

/** How long a script may be shown, in milliseconds. */
export function scriptLimitMs({ steps, max_step_ms }: Pick<DrawnScript, 'steps' | 'max_step_ms'>): number {
  return steps.length * max_step_ms;
}

/** A drawn step as it was shown. */
export function performedStep(
  { hold_ms: _, ...asked }: DrawnStep,
  from_ms: number,
  to_ms: number,
): ScriptStep {
  return { ...asked, from_ms, to_ms };
}
