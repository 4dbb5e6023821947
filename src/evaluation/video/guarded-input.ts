// What ffmpeg and ffprobe may make of a hostile file.
import { isFile, type ToolInput } from '../../confined/tool.ts';

/** Decoders that a video may use: what browsers and phones record, and what test footage is in. */
const DECODERS = 'vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,h264,hevc,mpeg4';

/** Options for reading a hostile file; they go before the input. */
export function guardedInput(demuxer: string, input: ToolInput): string[] {
  const protocol = isFile(input) ? 'file' : 'pipe';
  // For the video stream alone: otherwise a tool that cannot open the sound, which is not decoded, would refuse the
  // file.
  return ['-protocol_whitelist', protocol, '-f', demuxer, '-codec_whitelist:v', DECODERS];
}
