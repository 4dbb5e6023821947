// What the container says of its video before anything is decoded: size, codec, length. Runs beside the decoder.
import type { MediaSource } from './source.ts';
import { guardedInput, INPUT_URL, startTool } from './tool.ts';

/** What the container declares. Declarations are checked against what was decoded, never trusted. */
export interface DeclaredVideo {
  readonly codec: string;
  /** The tool that the container names as its writer. */
  readonly writer: string | null;
  /** Coded size, before rotation. 0 when the container does not tell. */
  readonly width: number;
  readonly height: number;
  /** Null when not told, as in a stream of a browser's recorder. */
  readonly durationMs: number | null;
  readonly frameCount: number | null;
}

const MAX_ANSWER_BYTES = 64 * 1024;

/** What a container holds: `null` is no video stream at all. */
export type Probe =
  | { readonly readable: false; readonly timedOut: boolean }
  | { readonly readable: true; readonly video: DeclaredVideo | null };

/** Reads the headers. The first video stream counts. */
export async function probeVideo(
  source: MediaSource,
  demuxer: string,
  options: { ffprobePath: string; timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Probe> {
  const args = [
    // Headers only: no packet is decoded here.
    ...['-v', 'quiet', '-nofind_stream_info', ...guardedInput(demuxer)],
    ...['-select_streams', 'v:0', '-of', 'json'],
    ...[
      '-show_entries',
      'stream=codec_name,width,height,duration,nb_frames:format=duration:format_tags=encoder',
      INPUT_URL,
    ],
  ];
  const tool = startTool(options.ffprobePath, args, source.handle, { ...options, extraPipes: 0 });
  let answer = '';
  tool.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
    if (answer.length > MAX_ANSWER_BYTES) tool.kill();
  });
  tool.child.stderr!.resume();
  const { timedOut } = await tool.ended;
  const unreadable = { readable: false, timedOut } as const;
  try {
    return readAnswer(JSON.parse(answer) as FfprobeAnswer) ?? unreadable;
  } catch {
    return unreadable;
  }
}

interface FfprobeAnswer {
  streams?: { codec_name?: string; width?: number; height?: number; duration?: string; nb_frames?: string }[];
  format?: { duration?: string; tags?: { encoder?: string; ENCODER?: string } };
}

/** Null when it is no answer. */
function readAnswer({ streams, format }: FfprobeAnswer): Probe | null {
  if (!streams) return null;
  const stream = streams[0];
  if (!stream) return { readable: true, video: null };
  const seconds = Number(stream.duration ?? format?.duration);
  const frames = Number(stream.nb_frames);
  const video: DeclaredVideo = {
    codec: stream.codec_name ?? 'unknown',
    writer: format?.tags?.encoder ?? format?.tags?.ENCODER ?? null,
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    durationMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null,
    frameCount: Number.isInteger(frames) && frames > 0 ? frames : null,
  };
  return { readable: true, video };
}
