// Which software wrote the file. A browser's recorder names itself in it, and so do tools that edit or encode files.
// The name is easily forged, so the cue is soft, and only names that no browser writes count.
import { atMost, type Check, notEvaluated, type Outcome, soft } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';

/**
 * In WebM, Chrome writes `Chrome`, Firefox `QTmuxingAppLibWebM-…` and Safari `WebKit`; in MP4 they write no such name.
 * GStreamer is left out because WebKitGTK records through it.
 */
const TOOLS = /^(Lavf|Lavc|libebml|mkvmerge|HandBrake|obs-)/i;

export const container: Check = { cue: 'container', role: soft(0.3), run };

/**
 * 1 if a tool other than a browser names itself as the file's writer, else 0. Evaluated for captures only, as only they
 * come from a browser.
 */
function run({ clip, submission }: CaptureEvidence): Outcome {
  if (!submission) return notEvaluated('not_applicable');
  const byTool = clip.writer !== null && TOOLS.test(clip.writer);
  return atMost(byTool ? 1 : 0, 0, 'not_a_recorder');
}
