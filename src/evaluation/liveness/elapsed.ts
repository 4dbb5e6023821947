// A recording to a script cannot last longer than the script has existed.
import { atMost, type Check, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';

/**
 * A recorder's last frame may be counted with a frame interval more; a slow one writes 10 frames a second. Chosen,
 * not measured.
 */
const TOLERANCE_MS = 250;

export const elapsed: Check = { cue: 'elapsed', role: gate('spoof'), run };

/** Milliseconds by which the video outlasts the time from the script's making to the commit of its hash. */
function run({ clip, submission }: CaptureEvidence): Outcome {
  if (!submission) return notEvaluated('not_applicable');
  return atMost(clip.fileDurationMs - submission.elapsedMs, TOLERANCE_MS, 'longer_than_elapsed');
}
