// How one check came out, as a label of metrics.
import type { Cue } from '../evaluation/liveness/cue.ts';

/** `passed`, `failed`, why the check did not run, or `not_judged`. */
export function observedOutcome(cues: readonly Cue[], name: string): string {
  const check = cues.find(({ cue }) => cue === name);
  if (!check) return 'not_judged';
  return check.status === 'notEvaluated' ? check.reason : check.status;
}
