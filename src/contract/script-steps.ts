// Functions that read the steps of scripts. Separate from the schemas, so that the page does not have to load those.
import { PATH, pathLengthMs } from './path.ts';
import type { DrawnScript, DrawnStep, PathStep, Script, ScriptStep, StepPrompt } from './script.ts';

/** How long a step may be shown, in milliseconds; `maxStepMs` is its script's `max_step_ms`. */
export function stepLimitMs(step: DrawnStep, maxStepMs: number): number {
  return step.prompt === PATH ? pathLengthMs(step.path) : maxStepMs;
}

/** How long a script may be shown, in milliseconds. */
export function scriptLimitMs({ steps, max_step_ms }: Pick<DrawnScript, 'steps' | 'max_step_ms'>): number {
  return steps.reduce((sum, step) => sum + stepLimitMs(step, max_step_ms), 0);
}

/** A drawn step as it was shown. */
export function performedStep(step: DrawnStep, from_ms: number, to_ms: number): ScriptStep | PathStep {
  return step.prompt === PATH
    ? { prompt: PATH, from_ms, to_ms, path: step.path }
    : { prompt: step.prompt, from_ms, to_ms };
}

/** The steps whose prompts are answered by a held face. */
export function promptSteps<Step extends { prompt: StepPrompt }>({
  steps,
}: {
  readonly steps: readonly Step[];
}): Exclude<Step, { prompt: typeof PATH }>[] {
  return steps.filter((step): step is Exclude<Step, { prompt: typeof PATH }> => step.prompt !== PATH);
}

/** The steps in which the person follows a mark. */
export function pathSteps({ steps }: Script): PathStep[] {
  return steps.filter((step) => step.prompt === PATH);
}
