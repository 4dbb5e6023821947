// First step of the judgement: hostile video bytes → frames with true times, through ffmpeg in a child process. ffmpeg
// exits 0 on a half-decoded file, so frames and durations are counted here.

import type { ToolInput } from '../../confined/tool.ts';
import type { VideoSettings } from '../settings.ts';
import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH, type UndecodableReason } from './clip.ts';
import { INDEX_BYTES, indexComesFirst, SNIFF_BYTES, sniffMedia, type VideoKind } from './container.ts';
import { type RunningDecoder, startDecoder } from './decoder.ts';
import type { Frame } from './frame.ts';
import { IncomingBytes } from './incoming.ts';
import { judgedPackets, lengthOf, overLimit, packetsMs, pixelsOf, refusal } from './limits.ts';
import { type DeclaredPacket, type DeclaredVideo, probeVideo } from './probe.ts';
import { bytesOf, sizeOf, type VideoInput, writeUnlinked } from './source.ts';

export type DecodeResult<T> =
  | {
      readonly status: 'decoded';
      readonly clip: Clip;
      /** Made from the clip's frames and no others. */
      readonly value: T;
    }
  | { readonly status: 'undecodable'; readonly reason: UndecodableReason };

export interface DecodeOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once, when the last byte has arrived: how much of the video is judged, if less than the settings say. Never
   * called for a video that is refused before.
   */
  readonly judgedMs?: (() => Promise<number>) | undefined;
  /** Called as a growing video's pictures arrive. What it throws ends the decoding. */
  readonly onFilm?: ((film: ArrivedFilm) => void) | undefined;
}

/** What has arrived of a growing video. */
export interface ArrivedFilm {
  readonly lengthMs: number;
  /** Of all its pictures together; 0 before the first is decoded. */
  readonly pixels: number;
}

type Consume<T> = (frames: AsyncIterable<Frame>) => Promise<T>;

/** With less than this share of the declared frames or length decoded, the file is broken. Chosen, not measured. */
const MIN_DECODED_SHARE = 0.9;

const THUMBNAIL_BYTES = THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;

/**
 * Decodes a clip and hands its sampled frames to `consume` while the decoder still runs, so that the two share the
 * machine's cores, and while the video still grows. Frames arrive in time order. If the end of the judged part becomes
 * known only at the end, and frames beyond it were handed out, the video is decoded a second time without them. If the
 * file turns out undecodable, what `consume` returned is dropped. Bytes reach the decoder through a pipe; a container
 * that cannot be read from a pipe is first written completely to an unlinked file. Rejects when `consume`, `judgedMs`
 * or a growing video does, with the signal's reason when aborted, with the file system's error on a path, and with
 * Fault TOOL_MISSING.
 */
export async function decodeClip<T>(
  video: VideoInput,
  settings: VideoSettings,
  consume: Consume<T>,
  options: DecodeOptions = {},
): Promise<DecodeResult<T>> {
  const { signal } = options;
  signal?.throwIfAborted();
  const sizeBytes = await sizeOf(video);
  if (sizeBytes === 0) return undecodable('empty_file');
  if (sizeBytes !== null && sizeBytes > settings.maxBytes) return undecodable('too_many_bytes');
  const bytes = new IncomingBytes(bytesOf(video), settings.maxBytes);
  const abort = () => bytes.drop({ fault: signal?.reason });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const head = await bytes.head(SNIFF_BYTES);
    if (head.length === 0)
      return undecodable((await bytes.ended) === 'complete' ? 'empty_file' : 'too_many_bytes');
    const media = sniffMedia(head);
    if (media?.kind !== 'video') return undecodable('not_a_video');
    const run = (input: ToolInput) => runDecoder(input, bytes, media, { settings, consume, options });
    if (media.container === 'webm' || indexComesFirst(await bytes.head(INDEX_BYTES))) return await run(bytes);
    const file = await writeUnlinked(bytes, settings.tempDir);
    try {
      return await run(file);
    } finally {
      await file.close();
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    bytes.drop();
  }
}

function undecodable(reason: UndecodableReason): { status: 'undecodable'; reason: UndecodableReason } {
  return { status: 'undecodable', reason };
}

/** `input`: the bytes, or the file that they were written to. */
async function runDecoder<T>(
  input: ToolInput,
  bytes: IncomingBytes,
  media: VideoKind,
  { settings, consume, options }: { settings: VideoSettings; consume: Consume<T>; options: DecodeOptions },
): Promise<DecodeResult<T>> {
  const { signal } = options;
  let arrived: readonly DeclaredPacket[] = [];
  // Packets and the size of the pictures become known in either order, and there may be no further packet for long.
  const watch = () => {
    const pixels = decoder.seen.sourcePixels;
    refuse(overLimit({ packets: arrived, pixels }, settings));
    watchFilm({ lengthMs: packetsMs(arrived), pixels: arrived.length * pixels }, bytes, options);
  };
  const decoder = await startDecoder(input, media.demuxer, settings, { signal, onSourcePixels: watch });
  const limits = bytes.ended.then(async (end) => {
    if (end !== 'complete') decoder.kill();
    const judgedMs = end === 'complete' ? await options.judgedMs?.() : undefined;
    return { ...settings, judgedMs: Math.min(settings.judgedMs, judgedMs ?? settings.judgedMs) };
  });
  const end = new AbortController();
  let early: UndecodableReason | null = null;
  const refuse = (reason: UndecodableReason | null) => {
    early ??= reason;
    if (!early) return;
    decoder.kill();
    end.abort();
    bytes.drop();
  };
  const probing = probeVideo(input, media.demuxer, {
    ...settings,
    signal: AbortSignal.any(signal ? [signal, end.signal] : [end.signal]),
    onPackets: (packets) => {
      arrived = packets;
      watch();
    },
  });
  const refusing = probing.then(async (probe) => {
    refuse(refusal(probe, settings));
    if (probe.readable && probe.video)
      refuse(overLimit({ packets: probe.video.packets, pixels: pixelsOf(probe.video) }, await limits));
  });
  try {
    const [probe, value] = await Promise.all([probing, consume(decoder.frames), refusing, limits]);
    const { timedOut } = await decoder.ended;
    signal?.throwIfAborted();
    if ((await bytes.ended) === 'too_many_bytes') return undecodable('too_many_bytes');
    if (early) return undecodable(early);
    if (timedOut || !probe.readable || !probe.video) return undecodable('decode_timeout');
    const judged = await limits;
    // The first picture's own size may be larger than the declared one.
    const over = overLimit({ packets: probe.video.packets, pixels: decoder.seen.sourcePixels }, judged);
    if (over) return undecodable(over);
    // What was read from the frames may depend on frames beyond the judged part.
    if (decoder.frames.lastMs >= judged.judgedMs)
      return await runDecoder(input, bytes, media, { settings: judged, consume, options: { signal } });
    return checkOutput(decoder, probe.video, media.container, judged, value);
  } finally {
    decoder.kill();
    end.abort();
    await Promise.allSettled([decoder.ended, probing]);
  }
}

function watchFilm(film: ArrivedFilm, bytes: IncomingBytes, { onFilm }: DecodeOptions): void {
  try {
    onFilm?.(film);
  } catch (fault) {
    bytes.drop({ fault });
  }
}

/** Checks the decoder's output. `settings.judgedMs` is the judged part; what was decoded beyond it is left out. */
function checkOutput<T>(
  { sourceTimesMs: decodedMs, thumbnails: pieces, seen }: RunningDecoder,
  declared: DeclaredVideo,
  container: 'webm' | 'mp4',
  settings: VideoSettings,
  value: T,
): DecodeResult<T> {
  const first = decodedMs[0];
  const sourceTimesMs = firstPart(decodedMs, (timeMs) => timeMs - first! < settings.judgedMs);
  const count = sourceTimesMs.length;
  if (first === undefined || seen.width === 0) return undecodable('decode_failed');
  if (count === 1) return undecodable('one_frame');
  const durationMs = lengthOf(sourceTimesMs);
  if (durationMs > settings.maxDurationMs || count > settings.maxSourceFrames) return undecodable('too_long');
  const fileDurationMs = Math.max(durationMs, packetsMs(declared.packets));
  const thumbnails = Buffer.concat(pieces);
  const complete =
    !seen.broken &&
    thumbnails.length === decodedMs.length * THUMBNAIL_BYTES &&
    durationMs >= MIN_DECODED_SHARE * Math.min(declared.durationMs ?? 0, settings.judgedMs) &&
    count >=
      MIN_DECODED_SHARE * Math.min(declared.frameCount ?? 0, judgedPackets(declared.packets, settings));
  if (!complete) return undecodable('decode_failed');
  if (durationMs < settings.minDurationMs) return undecodable('too_short');
  const { width, height } = seen;
  const clip: Clip = {
    container,
    codec: declared.codec,
    width,
    height,
    durationMs,
    fileDurationMs,
    packets: declared.packets.map((packet) => ({ ...packet, timeMs: packet.timeMs - first })),
    sourceFrameCount: count,
    thumbnails: thumbnails.subarray(0, count * THUMBNAIL_BYTES),
    sourceTimesMs: sourceTimesMs.map((timeMs) => timeMs - first),
  };
  return { status: 'decoded', clip, value };
}

/** The items before the first one that is not within. */
function firstPart<T>(items: readonly T[], isWithin: (item: T) => boolean): readonly T[] {
  const end = items.findIndex((item) => !isWithin(item));
  return end < 0 ? items : items.slice(0, end);
}
