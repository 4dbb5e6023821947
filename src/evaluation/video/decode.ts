// First step of the judgement: hostile video bytes → frames with true times, through ffmpeg in a child process.
// ffmpeg exits 0 on a half-decoded file: frames and durations are counted here.
import type { Readable } from 'node:stream';
import type { VideoSettings } from '../settings.ts';
import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH, type UndecodableReason } from './clip.ts';
import { SNIFF_BYTES, sniffMedia } from './container.ts';
import type { Frame } from './frame.ts';
import { FrameQueue } from './frame-queue.ts';
import { PpmReader } from './ppm.ts';
import { type DeclaredVideo, type Probe, probeVideo } from './probe.ts';
import { type MediaSource, openSource, readHead } from './source.ts';
import { FIRST_EXTRA_PIPE, guardedInput, INPUT_URL, type RunningTool, startTool } from './tool.ts';

export type DecodeResult<T> =
  | { readonly status: 'decoded'; readonly clip: Clip; readonly value: T }
  | { readonly status: 'undecodable'; readonly reason: UndecodableReason };

/** A smaller part than this of the declared frames or length is a broken file, not a clip. Chosen, not measured. */
const MIN_DECODED_SHARE = 0.9;

/**
 * Decodes a clip and hands its sampled frames to `consume` while the decoder still runs, so that the two share the
 * machine's cores. The frames come in time order. When the file turns out undecodable, what `consume` returned is
 * dropped. Rejects when `consume` does, with the signal's reason when aborted, and with Fault TOOL_MISSING.
 */
export async function decodeClip<T>(
  video: Uint8Array | string,
  settings: VideoSettings,
  consume: (frames: AsyncIterable<Frame>) => Promise<T>,
  signal?: AbortSignal,
): Promise<DecodeResult<T>> {
  signal?.throwIfAborted();
  const source = await openSource(video, settings.tempDir);
  try {
    if (source.sizeBytes === 0) return undecodable('empty_file');
    if (source.sizeBytes > settings.maxBytes) return undecodable('too_many_bytes');
    const media = sniffMedia(await readHead(source, SNIFF_BYTES));
    if (media?.kind !== 'video') return undecodable('not_a_video');
    return await runDecoder(source, media, settings, consume, signal);
  } finally {
    await source.handle.close();
  }
}

function undecodable(reason: UndecodableReason): { status: 'undecodable'; reason: UndecodableReason } {
  return { status: 'undecodable', reason };
}

async function runDecoder<T>(
  source: MediaSource,
  media: { container: 'webm' | 'mp4'; demuxer: string },
  settings: VideoSettings,
  consume: (frames: AsyncIterable<Frame>) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<DecodeResult<T>> {
  const decoder = await startTool(
    settings.ffmpegPath,
    decoderArguments(media.demuxer, settings),
    source.handle,
    {
      extraPipes: 3,
      timeoutMs: settings.timeoutMs,
      signal,
    },
  );
  const output = readOutput(decoder, settings);
  try {
    const [probe, value] = await Promise.all([
      probeVideo(source, media.demuxer, { ...settings, signal }).then((found) => {
        if (refusal(found, settings)) decoder.kill();
        return found;
      }),
      consume(output.frames),
    ]);
    const { timedOut } = await decoder.ended;
    signal?.throwIfAborted();
    const early = refusal(probe, settings);
    if (early) return undecodable(early);
    if (timedOut || !probe.readable || !probe.video) return undecodable('decode_timeout');
    return checkOutput(output, probe.video, media.container, settings, value);
  } finally {
    decoder.kill();
    await decoder.ended.catch(() => {});
  }
}

/** Reasons to refuse the file by its declaration alone. */
function refusal(probe: Probe, settings: VideoSettings): UndecodableReason | null {
  if (!probe.readable) return UNREADABLE[probe.because];
  const declared = probe.video;
  if (!declared) return 'not_a_video';
  const pixels = declared.width * declared.height;
  if (pixels > settings.maxPixels) return 'too_large_dimensions';
  if (Math.max(declared.durationMs ?? 0, lengthOf(declared.packetTimesMs)) > settings.maxDurationMs)
    return 'too_long';
  if (pixels * judgedPackets(declared, settings) > settings.maxDecodedPixels) return 'too_many_pixels';
  return null;
}

const UNREADABLE = {
  broken: 'decode_failed',
  timeout: 'decode_timeout',
  too_many_packets: 'too_long',
} as const satisfies Record<string, UndecodableReason>;

/** From the first to the last, plus one mean interval; 0 for fewer than two. */
function lengthOf(timesMs: readonly number[]): number {
  const count = timesMs.length;
  return count < 2 ? 0 : ((timesMs[count - 1]! - timesMs[0]!) * count) / (count - 1);
}

/** Packets of the part that is judged. */
function judgedPackets({ packetTimesMs }: DeclaredVideo, settings: VideoSettings): number {
  return packetTimesMs.filter((timeMs) => timeMs < settings.judgedMs).length;
}

/**
 * Four outputs of one decode: sampled frames as PPM on stdout, thumbnails of all frames, and the times of both.
 * Sampling drops frames and never doubles one. ffmpeg's own defaults do two things here: rotation metadata is
 * honoured, and a picture that changes its size midway is scaled to the first size.
 */
function decoderArguments(demuxer: string, settings: VideoSettings): string[] {
  const side = settings.maxLongSidePx;
  const slot = (time: string) => `floor((${time}-start_t)*${settings.sampleFps}+0.01)`;
  const graph = [
    '[0:v:0]split=3[sampled][small][times]',
    `[sampled]select='isnan(prev_selected_t)+gt(${slot('t')},${slot('prev_selected_t')})',` +
      `scale='min(iw,${side})':'min(ih,${side})':force_original_aspect_ratio=decrease:flags=bilinear,` +
      'split[frames][frametimes]',
    `[small]scale=${THUMBNAIL_WIDTH}:${THUMBNAIL_HEIGHT}:flags=area,format=gray[thumbs]`,
  ];
  const passthrough = ['-fps_mode', 'passthrough'];
  // Without a time base of its own ffmpeg rounds the times to the frame rate that it guesses for the file.
  const exact = [...passthrough, '-enc_time_base', '1:1000'];
  const times = [...exact, '-c:v', 'wrapped_avframe', '-f', 'mkvtimestamp_v2', '-flush_packets', '1'];
  const pipe = (offset: number) => `pipe:${FIRST_EXTRA_PIPE + offset}`;
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '2'],
    ...['-t', String(settings.judgedMs / 1000), ...guardedInput(demuxer)],
    ...['-max_pixels:v', String(settings.maxPixels)],
    ...['-i', INPUT_URL, '-an', '-sn', '-dn', '-filter_complex', graph.join(';')],
    ...['-map', '[frametimes]', ...times, pipe(0)],
    ...['-map', '[frames]', ...passthrough, '-c:v', 'ppm', '-f', 'image2pipe', 'pipe:1'],
    ...['-map', '[times]', '-frames:v', String(settings.maxSourceFrames + 1), ...times, pipe(1)],
    ...['-map', '[thumbs]', '-frames:v', String(settings.maxSourceFrames + 1)],
    ...[...passthrough, '-c:v', 'rawvideo', '-f', 'rawvideo', pipe(2)],
  ];
}

interface DecoderOutput {
  readonly frames: AsyncIterable<Frame>;
  readonly sourceTimesMs: number[];
  readonly thumbnails: Uint8Array[];
  readonly seen: { width: number; height: number; broken: boolean };
}

/** Sampled frames that wait for their reader: 123 MB at the largest, more than an ordinary clip runs ahead. */
const MOST_WAITING_FRAMES = 64;

/**
 * Reads all pipes at once. Only the frames are held back, where their reader is far behind: the decoder then waits in
 * the middle of one, and has told the times of those before it. Its deadline waits with it.
 */
function readOutput(decoder: RunningTool, settings: VideoSettings): DecoderOutput {
  const { stdio } = decoder.child;
  const sourceTimesMs: number[] = [];
  const thumbnails: Uint8Array[] = [];
  const seen = { width: 0, height: 0, broken: false };
  stdio[2]!.on('data', () => {});
  readTimes(stdio[FIRST_EXTRA_PIPE + 1] as Readable, (timeMs) => sourceTimesMs.push(timeMs));
  (stdio[FIRST_EXTRA_PIPE + 2] as Readable).on('data', (chunk: Buffer) => thumbnails.push(chunk));

  const pictures = stdio[1]!;
  const queue = new FrameQueue(MOST_WAITING_FRAMES, {
    hold: () => {
      pictures.pause();
      decoder.holdDeadline();
    },
    goOn: () => {
      pictures.resume();
      decoder.resumeDeadline();
    },
  });
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

/** Reads a "timecode format v2" stream: one presentation time in milliseconds a line. */
function readTimes(stream: Readable, take: (timeMs: number) => void): void {
  let rest = '';
  stream.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (/^-?\d+(\.\d+)?$/.test(line)) take(Number(line));
  });
}

function checkOutput<T>(
  output: DecoderOutput,
  declared: DeclaredVideo,
  container: 'webm' | 'mp4',
  settings: VideoSettings,
  value: T,
): DecodeResult<T> {
  const { sourceTimesMs, seen } = output;
  const first = sourceTimesMs[0];
  const count = sourceTimesMs.length;
  if (first === undefined || seen.width === 0) return undecodable('decode_failed');
  if (count === 1) return undecodable('one_frame');
  const durationMs = lengthOf(sourceTimesMs);
  if (durationMs > settings.maxDurationMs || count > settings.maxSourceFrames) return undecodable('too_long');
  const fileDurationMs = Math.max(durationMs, lengthOf(declared.packetTimesMs));
  const thumbnails = Buffer.concat(output.thumbnails);
  const complete =
    !seen.broken &&
    thumbnails.length === count * THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT &&
    durationMs >= MIN_DECODED_SHARE * Math.min(declared.durationMs ?? 0, settings.judgedMs) &&
    count >= MIN_DECODED_SHARE * Math.min(declared.frameCount ?? 0, judgedPackets(declared, settings));
  if (!complete) return undecodable('decode_failed');
  if (durationMs < settings.minDurationMs) return undecodable('too_short');
  const { width, height } = seen;
  const clip: Clip = {
    ...{
      container,
      codec: declared.codec,
      writer: declared.writer,
      width,
      height,
      durationMs,
      fileDurationMs,
      sourceFrameCount: count,
      thumbnails,
    },
    sourceTimesMs: sourceTimesMs.map((timeMs) => timeMs - first),
  };
  return { status: 'decoded', clip, value };
}
