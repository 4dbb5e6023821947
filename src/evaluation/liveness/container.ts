// What wrote the file: a browser's recorder names itself, tools that edit or encode files name themselves too. Easily
// forged, so soft; and only names that no browser writes count.
import { atMost, type Check, notEvaluated } from './cue.ts';

/**
 * Chrome writes `Chrome`, Firefox `QTmuxingAppLibWebM-…`, Safari `WebKit` into WebM; into MP4 they write no such name.
 * GStreamer is left out: WebKitGTK records through it.
 */
const TOOLS = /^(Lavf|Lavc|libebml|mkvmerge|HandBrake|obs-)/i;

/** 1 when a tool that is no browser names itself as the file's writer, else 0. Only captures come from a browser. */
export const container: Check = ({ clip, submission }) => {
  if (!submission) return notEvaluated('container', 'not_applicable');
  const byTool = clip.writer !== null && TOOLS.test(clip.writer);
  return atMost('container', byTool ? 1 : 0, 0, 'not_a_recorder');
};
