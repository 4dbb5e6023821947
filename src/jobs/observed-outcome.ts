// How one check came out, as a label of metrics.
import type { JudgedCue } from '../contract/judged-try.ts';

/** The label where nothing was judged. */
export const NOT_JUDGED = 'not_judged';

/** `passed`, `failed`, or why the check did not run; null where nothing was judged. */
export function observedOutcome(cues: readonly JudgedCue[], name: string): string | null {
  const check = cues.find(({ cue }) => cue === name);
  if (!check) return null;
  return (check.status === 'notEvaluated' && check.reason) || check.status;
}
