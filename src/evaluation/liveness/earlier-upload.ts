// Detects the frames of an earlier capture: its file sent again, whole, cut or in another container.
import { atMost, type Check, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';

/**
 * Two takes share no frame, because all 4096 pixel means of a frame would have to be equal. A quarter is far from any
 * accident. Chosen, not measured.
 */
const MAX_SHARE = 0.25;

export const earlierUpload: Check = {
  cue: 'earlier_upload',
  role: gate('spoof'),
  refuses: [],
  stays: 'some recordings suit a later script',
  run,
};

/** Share of the video's frames that an earlier capture of the account holds. */
function run({ submission }: CaptureEvidence): Outcome {
  if (!submission || submission.seenBefore === null) return notEvaluated('not_applicable');
  return atMost(submission.seenBefore, MAX_SHARE, 'uploaded_before');
}
