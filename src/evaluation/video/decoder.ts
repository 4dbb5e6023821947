// The decoder's command line, and its output: sampled frames, times and thumbnails, read from its pipes as they arrive.
import type { Readable } from 'node:stream';
import { mediaTool } from '../../confined/program.ts';
import {
  FIRST_EXTRA_PIPE,
  inputUrl,
  type RunningTool,
  startTool,
  type ToolInput,
} from '../../confined/tool.ts';
import type { VideoSettings } from '../settings.ts';
import { THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from './clip.ts';
import { FrameQueue } from './frame-queue.ts';
import { guardedInput } from './guarded-input.ts';
import { PpmReader } from './ppm.ts';

/** A decoder at work. */
export interface RunningDecoder extends Pick<RunningTool, 'ended' | 'kill'> {
  /** Sampled frames, in time order, while it runs. */
  readonly frames: FrameQueue;
  /** The rest is complete once it has ended: the file's own times of every source frame in milliseconds … */
  readonly sourceTimesMs: readonly number[];
  /** … their thumbnails, in pieces … */
  readonly thumbnails: readonly Uint8Array[];
  /** … and the size of the frames; `broken` if a picture was. */
  readonly seen: {
    readonly width: number;
    readonly height: number;
    readonly broken: boolean;
    /** Width × height of the first source frame; 0 before it is decoded. */
    readonly sourcePixels: number;
  };
}

export interface DecoderOptions {
  readonly signal: AbortSignal | undefined;
  /** Called once `seen.sourcePixels` is known. */
  readonly onSourcePixels: () => void;
}

/** Starts ffmpeg. @throws Fault TOOL_MISSING through `ended` and the frames */
export async function startDecoder(
  input: ToolInput,
  demuxer: string,
  settings: VideoSettings,
  { signal, onSourcePixels }: DecoderOptions,
): Promise<RunningDecoder> {
  const tool = await startTool(
    mediaTool(settings.ffmpegPath),
    decoderArguments(input, demuxer, settings),
    input,
    {
      extraPipes: 3,
      timeoutMs: settings.timeoutMs,
      signal,
    },
  );
  return { ended: tool.ended, kill: tool.kill, ...readOutput(tool, settings, onSourcePixels) };
}

/**
 * The decoder stops this long after the judged part. The exact cut is made by the times that it reports, which are
 * rounded to milliseconds. This is the same whether the end of that part is known now or only when the last byte has
 * arrived.
 */
const DECODE_MARGIN_MS = 100;

/** The decoder counts the pixels of its buffers, whose rows are rounded up to this many; taller than any video is. */
const PADDING = { rowPx: 64, rows: 4_096 } as const;

/**
 * Four outputs of one decode: sampled frames as PPM on stdout, thumbnails of all frames, and the times of both.
 * Sampling drops frames and never duplicates one. Two of ffmpeg's defaults are relied on: rotation metadata is
 * honoured, and a picture that changes its size midway is scaled to the first size.
 */
function decoderArguments(input: ToolInput, demuxer: string, settings: VideoSettings): string[] {
  const side = settings.maxLongSidePx;
  const slot = (time: string) => `floor((${time}-start_t)*${settings.sampleFps}+0.01)`;
  const graph = [
    // Counts from the first picture, wherever the file's times begin.
    `[0:v:0]trim=duration=${(settings.judgedMs + DECODE_MARGIN_MS) / 1000},split=3[sampled][small][times]`,
    `[sampled]select='isnan(prev_selected_t)+gt(${slot('t')},${slot('prev_selected_t')})',` +
      `${asShown(side)},format=rgb24,split[frames][frametimes]`,
    `[small]scale=${THUMBNAIL_WIDTH}:${THUMBNAIL_HEIGHT}:flags=area,format=gray[thumbs]`,
  ];
  const passthrough = ['-fps_mode', 'passthrough'];
  // Without a time base of its own ffmpeg rounds the times to the frame rate that it guesses for the file.
  const exact = [...passthrough, '-enc_time_base', '1:1000'];
  // Beside the times, this format tells the size of the pictures.
  const times = [...exact, '-c:v', 'wrapped_avframe', '-f', 'framecrc', '-flush_packets', '1'];
  const pipe = (offset: number) => `pipe:${FIRST_EXTRA_PIPE + offset}`;
  return [
    // Keep the file's own times, which are those that the probe reports for its packets.
    ['-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '2', '-copyts'],
    // As many threads on every machine: each counts as memory.
    ['-filter_complex_threads', '2'],
    guardedInput(demuxer, input),
    ['-max_pixels:v', String(settings.maxPixels + PADDING.rowPx * PADDING.rows)],
    ['-i', inputUrl(input), '-an', '-sn', '-dn', '-filter_complex', graph.join(';')],
    ['-map', '[frametimes]', ...times, pipe(0)],
    ['-map', '[frames]', ...passthrough, '-c:v', 'ppm', '-f', 'image2pipe', 'pipe:1'],
    ['-map', '[times]', '-frames:v', String(settings.maxSourceFrames + 1), ...times, pipe(1)],
    ['-map', '[thumbs]', '-frames:v', String(settings.maxSourceFrames + 1)],
    [...passthrough, '-c:v', 'rawvideo', '-f', 'rawvideo', pipe(2)],
  ].flat();
}

/**
 * A filter that makes the picture as wide as it is shown, where its pixels are not square, and at most `side` long.
 * No camera's pixels are more than twice as wide as high; a file may claim anything.
 */
function asShown(side: number): string {
  const width = 'iw*clip(sar,0.5,2)';
  const share = `min(1,${side}/max(${width},ih))`;
  return `scale=w='max(1,round(${width}*${share}))':h='max(1,round(ih*${share}))':flags=bilinear`;
}

/** Sampled frames that may wait for their reader: more than a second of them, 23 MB at the largest. */
const MAX_WAITING_FRAMES = 16;

/**
 * Reads all pipes at once. Only the frames are held back, if their reader is far behind: the decoder then blocks in the
 * middle of one, and has reported the times of those before it. Its deadline is suspended meanwhile.
 */
function readOutput(
  decoder: RunningTool,
  settings: VideoSettings,
  onSourcePixels: () => void,
): Omit<RunningDecoder, keyof RunningTool> {
  const { stdio } = decoder.child;
  const sourceTimesMs: number[] = [];
  const thumbnails: Uint8Array[] = [];
  const seen = { width: 0, height: 0, broken: false, sourcePixels: 0 };
  stdio[2]!.on('data', () => {});
  readTimes(
    stdio[FIRST_EXTRA_PIPE + 1] as Readable,
    (timeMs) => sourceTimesMs.push(timeMs),
    (pixels) => {
      seen.sourcePixels = pixels;
      onSourcePixels();
    },
  );
  (stdio[FIRST_EXTRA_PIPE + 2] as Readable).on('data', (chunk: Buffer) => thumbnails.push(chunk));

  const pictures = stdio[1]!;
  const source = {
    pause: () => {
      pictures.pause();
      decoder.pauseDeadline();
    },
    resume: () => {
      pictures.resume();
      decoder.resumeDeadline();
    },
  };
  const queue = new FrameQueue(MAX_WAITING_FRAMES, source, settings.judgedMs);
  const reader = new PpmReader(settings.maxLongSidePx ** 2 * 3);
  readTimes(stdio[FIRST_EXTRA_PIPE] as Readable, (timeMs) => queue.time(timeMs));
  pictures.on('data', (chunk: Buffer) => {
    try {
      for (const picture of reader.push(chunk)) {
        seen.width = picture.width;
        seen.height = picture.height;
        queue.picture(picture);
      }
    } catch {
      seen.broken = true;
      decoder.kill();
    }
  });
  const finish = () => {
    seen.broken ||= reader.midPicture;
    queue.end();
  };
  decoder.ended.then(finish, (fault) => queue.fail(fault));
  return { frames: queue, sourceTimesMs, thumbnails, seen };
}

/**
 * Reads a "framecrc" stream: lines that begin with # say what follows, then one line for each picture: stream, decoding
 * time, presentation time in milliseconds, and what is not used here.
 */
function readTimes(
  stream: Readable,
  take: (timeMs: number) => void,
  takePixels: (pixels: number) => void = () => {},
): void {
  let rest = '';
  stream.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const size = /^#dimensions 0: (\d+)x(\d+)$/.exec(line);
      if (size) takePixels(Number(size[1]) * Number(size[2]));
      const time = /^0, *-?\d+, *(-?\d+),/.exec(line);
      if (time) take(Number(time[1]));
    }
  });
}
