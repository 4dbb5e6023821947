// A hostile photograph → one frame, upright. For references and for `compare`; captures are always videos.
import { mediaTool } from '../../confined/program.ts';
import { inputUrl, startTool } from '../../confined/tool.ts';
import { decodePicture } from '../../pictures/decode-picture.ts';
import type { VideoSettings } from '../settings.ts';
import { SNIFF_BYTES, sniffMedia } from './container.ts';
import type { Frame } from './frame.ts';
import { PpmReader } from './ppm.ts';
import { type MediaSource, readHead } from './source.ts';

export type StillReason =
  | 'empty_file'
  | 'too_many_bytes'
  | 'not_an_image'
  | 'too_large_dimensions'
  | 'decode_failed';

export type StillResult =
  | { readonly status: 'decoded'; readonly frame: Frame }
  | { readonly status: 'undecodable'; readonly reason: StillReason };

/** Photographs may be larger than videos' pictures: phones write 50 megapixels. Chosen, not measured. */
const MAX_STILL_PIXELS = 50_000_000;
/** Photographs are shrunk to this long side; small faces in a large one are still detected. Chosen, not measured. */
const MAX_LONG_SIDE_PX = 1600;
const ORDER = {
  form: 'rgb',
  maxPixels: MAX_STILL_PIXELS,
  maxSidePx: MAX_LONG_SIDE_PX,
  drawings: false,
} as const;

/** Decodes JPEG, PNG, WebP, GIF (its first picture) or BMP. EXIF orientation is honoured, transparency becomes grey. */
export async function decodeStill(source: MediaSource, settings: VideoSettings): Promise<StillResult> {
  if (source.sizeBytes === 0) return undecodable('empty_file');
  if (source.sizeBytes > settings.maxBytes) return undecodable('too_many_bytes');
  const media = sniffMedia(await readHead(source, SNIFF_BYTES));
  if (media?.kind !== 'image') return undecodable('not_an_image');
  return media.format === 'bmp' ? decodeBitmap(source, settings) : decodePhotograph(source);
}

function undecodable(reason: StillReason): StillResult {
  return { status: 'undecodable', reason };
}

async function decodePhotograph(source: MediaSource): Promise<StillResult> {
  const decoded = await decodePicture(source.handle, ORDER, '');
  if (decoded.status === 'refused') return undecodable(decoded.because);
  const { width, height, data } = decoded;
  if (data.length !== width * height * 3) return undecodable('decode_failed');
  return { status: 'decoded', frame: { timeMs: 0, width, height, rgb: new Uint8Array(data) } };
}

/**
 * The picture decoder reads no BMP, and our own best frames are BMP files, so ffmpeg reads them, confined as for
 * videos.
 */
async function decodeBitmap(source: MediaSource, settings: VideoSettings): Promise<StillResult> {
  const side = MAX_LONG_SIDE_PX;
  const args = [
    ['-nostdin', '-v', 'quiet', '-protocol_whitelist', 'file', '-f', 'bmp_pipe'],
    ['-codec_whitelist', 'bmp', '-max_pixels', String(MAX_STILL_PIXELS), '-i', inputUrl(source.handle)],
    ['-vf', `scale='min(iw,${side})':'min(ih,${side})':force_original_aspect_ratio=decrease`],
    ['-frames:v', '1', '-c:v', 'ppm', '-f', 'image2pipe', 'pipe:1'],
  ].flat();
  const tool = await startTool(mediaTool(settings.ffmpegPath), args, source.handle, {
    extraPipes: 0,
    timeoutMs: settings.timeoutMs,
  });
  const reader = new PpmReader(side * side * 3);
  const pictures: Omit<Frame, 'timeMs'>[] = [];
  tool.child.stderr!.resume();
  tool.child.stdout!.on('data', (chunk: Buffer) => {
    try {
      pictures.push(...reader.push(chunk));
    } catch {
      tool.kill();
    }
  });
  await tool.ended;
  const picture = pictures[0];
  return picture ? { status: 'decoded', frame: { timeMs: 0, ...picture } } : undecodable('decode_failed');
}
