// What wrote the file: a browser's recorder names itself, tools that edit or encode files name themselves too. Easily
// forged, so soft; and only names that no browser writes count.
import { atMost, type Check, notEvaluated, type Outcome, soft } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';

/**
 * Chrome writes `Chrome`, Firefox `QTmuxingAppLibWebM-…`, Safari `WebKit` into WebM; into MP4 they write no such name.
 * GStreamer is left out: WebKitGTK records through it.
 */
const TOOLS = /^(Lavf|Lavc|libebml|mkvmerge|HandBrake|obs-)/i;

export const container: Check = { cue: 'container', role: soft(0.3), run };

/** 1 when a tool that is no browser names itself as the file's writer, else 0. Only captures come from a browser. */
function run({ clip, submission }: CaptureEvidence): Outcome {
  if (!submission) return notEvaluated('not_applicable');
  const byTool = clip.writer !== null && TOOLS.test(clip.writer);
  return atMost(byTool ? 1 : 0, 0, 'not_a_recorder');
}
