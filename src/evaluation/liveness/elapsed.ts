// A recording that follows a script cannot last longer than the script has existed.
import { atMost, type Check, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';

/**
 * A file's duration may include one more frame interval after the last frame; a slow recorder writes 10 frames per
 * second. Chosen, not measured.
 */
const TOLERANCE_MS = 250;

export const elapsed: Check = {
  cue: 'elapsed',
  role: gate('spoof'),
  refuses: [],
  stays: 'by construction: no film of a script is longer than the script is old',
  run,
};

/** Milliseconds by which the video exceeds the time from the script's creation to the commit of the video's hash. */
function run({ clip, submission }: CaptureEvidence): Outcome {
  if (!submission) return notEvaluated('not_applicable');
  return atMost(clip.fileDurationMs - submission.elapsedMs, TOLERANCE_MS, 'longer_than_elapsed');
}
