// A recording to a script cannot last longer than the script has existed.
import { atMost, type Check, notEvaluated } from './cue.ts';

/** A recorder's last frame may be counted with a frame interval more; a slow one writes 10 frames a second. */
const TOLERANCE_MS = 250;

/** Milliseconds by which the video outlasts the time from the script's making to the commit of its hash. */
export const elapsed: Check = ({ clip, submission }) => {
  if (!submission) return notEvaluated('elapsed', 'not_applicable');
  return atMost('elapsed', clip.fileDurationMs - submission.elapsedMs, TOLERANCE_MS, 'longer_than_elapsed');
};
