// The outcome of one check, as a metrics label.
import type { JudgedCue } from '../contract/judged-try.ts';

/** The label if nothing was judged. */
export const NOT_JUDGED = 'not_judged';

/** `passed`, `failed`, or why the check did not run; null if nothing was judged. */
export function observedOutcome(cues: readonly JudgedCue[], name: string): string | null {
  const check = cues.find(({ cue }) => cue === name);
  if (!check) return null;
  return (check.status === 'notEvaluated' && check.reason) || check.status;
}
