// The very frames of an earlier capture: its file sent again, whole, cut or in another container.
import { atMost, type Check, notEvaluated } from './cue.ts';

/** Two takes share no frame: not one pixel mean in 4096 may differ. A quarter is far from any accident. */
const MAX_SHARE = 0.25;

/** Share of the video's frames that an earlier capture of the account holds. */
export const earlierUpload: Check = ({ submission }) => {
  if (!submission || submission.seenBefore === null) return notEvaluated('earlier_upload', 'not_applicable');
  return atMost('earlier_upload', submission.seenBefore, MAX_SHARE, 'uploaded_before');
};
