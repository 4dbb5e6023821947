// The best frame as a BMP file: lossless, so that it shows what was judged.
import { encode } from 'fast-bmp';
import type { Frame } from '../video/frame.ts';

/** A 24-bit BMP of the frame. */
export function toBitmap(frame: Frame): Uint8Array {
  const { width, height, rgb } = frame;
  return encode({ width, height, data: rgb, bitsPerPixel: 24, components: 3, channels: 3 });
}
