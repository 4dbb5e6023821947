// Shrinks a whole frame (or a rectangle of it) into the detector's square input by area averaging.

import type { Frame } from '../video/frame.ts';
import type { FaceBox } from './observation.ts';

/** Where the rectangle was placed: frame = origin + input · scale. */
export interface Letterbox {
  readonly originX: number;
  readonly originY: number;
  readonly scale: number;
}

/**
 * Fills `out` (planar RGB, 3 · size²) with `view` centred in the square, values −1 to 1, black around it.
 * Each input pixel is the mean of the whole frame pixels that it covers (at least one).
 */
export function letterbox(frame: Frame, view: FaceBox, size: number, out: Float32Array): Letterbox {
  const { width, height, rgb } = frame;
  const scale = Math.max(view.width, view.height) / size;
  const originX = view.x + view.width / 2 - (scale * size) / 2;
  const originY = view.y + view.height / 2 - (scale * size) / 2;
  const plane = size * size;
  out.fill(-1);
  for (let row = 0; row < size; row++) {
    const y0 = Math.max(0, Math.floor(originY + row * scale + 0.5));
    const y1 = Math.min(height, Math.max(y0 + 1, Math.floor(originY + (row + 1) * scale + 0.5)));
    if (originY + (row + 0.5) * scale < 0) continue;
    for (let column = 0; column < size; column++) {
      const x0 = Math.max(0, Math.floor(originX + column * scale + 0.5));
      const x1 = Math.min(width, Math.max(x0 + 1, Math.floor(originX + (column + 1) * scale + 0.5)));
      if (x1 <= x0 || y1 <= y0 || originX + (column + 0.5) * scale < 0) continue;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let y = y0; y < y1; y++) {
        let at = (y * width + x0) * 3;
        for (let x = x0; x < x1; x++, at += 3) {
          red += rgb[at]!;
          green += rgb[at + 1]!;
          blue += rgb[at + 2]!;
        }
      }
      const gain = 1 / (127.5 * (x1 - x0) * (y1 - y0));
      const to = row * size + column;
      out[to] = red * gain - 1;
      out[to + plane] = green * gain - 1;
      out[to + 2 * plane] = blue * gain - 1;
    }
  }
  return { originX, originY, scale };
}
