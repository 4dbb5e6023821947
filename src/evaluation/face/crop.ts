// Pixels of a frame → the planar float input of a network, through a similarity (shift, turn, scale).
import type { Frame } from '../video/frame.ts';

/**
 * Maps a point of the crop to the frame: x = a·u − b·v + tx, y = b·u + a·v + ty. Coordinates are continuous: pixel i
 * covers i to i + 1 and its centre lies at i + .5, in crop and frame alike.
 */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly tx: number;
  readonly ty: number;
}

/** How pixel values become inputs: value · gain + offset. */
export interface PixelScale {
  readonly gain: number;
  readonly offset: number;
}

/** At most this many samples a side for one crop pixel: a 4K face shrunk to 112² is still free of aliasing. */
const MAX_SAMPLES = 6;

/**
 * Fills `out` with the crop, planar RGB (3 · size²), black outside the frame. Where the crop shrinks the frame, each
 * crop pixel is the mean of n × n bilinear samples, n the shrink factor.
 */
export function cropRgb(
  frame: Frame,
  map: Similarity,
  size: number,
  scale: PixelScale,
  out: Float32Array,
): void {
  const { width, height, rgb } = frame;
  const plane = size * size;
  const samples = Math.max(1, Math.min(MAX_SAMPLES, Math.round(Math.hypot(map.a, map.b))));
  const step = 1 / samples;
  const gain = scale.gain / (samples * samples);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let j = 0; j < samples; j++) {
        const v = row + (j + 0.5) * step;
        for (let i = 0; i < samples; i++) {
          const u = column + (i + 0.5) * step;
          // To the index space of pixel centres, where the bilinear neighbours are floor and floor + 1.
          const x = map.a * u - map.b * v + map.tx - 0.5;
          const y = map.b * u + map.a * v + map.ty - 0.5;
          const x0 = Math.floor(x);
          const y0 = Math.floor(y);
          if (x0 < -1 || y0 < -1 || x0 >= width || y0 >= height) continue;
          const fx = x - x0;
          const fy = y - y0;
          const left = x0 >= 0;
          const right = x0 + 1 < width;
          let at = (y0 * width + x0) * 3;
          if (y0 >= 0) {
            if (left) {
              const weight = (1 - fx) * (1 - fy);
              red += weight * rgb[at]!;
              green += weight * rgb[at + 1]!;
              blue += weight * rgb[at + 2]!;
            }
            if (right) {
              const weight = fx * (1 - fy);
              red += weight * rgb[at + 3]!;
              green += weight * rgb[at + 4]!;
              blue += weight * rgb[at + 5]!;
            }
          }
          if (y0 + 1 < height) {
            at += width * 3;
            if (left) {
              const weight = (1 - fx) * fy;
              red += weight * rgb[at]!;
              green += weight * rgb[at + 1]!;
              blue += weight * rgb[at + 2]!;
            }
            if (right) {
              const weight = fx * fy;
              red += weight * rgb[at + 3]!;
              green += weight * rgb[at + 4]!;
              blue += weight * rgb[at + 5]!;
            }
          }
        }
      }
      const to = row * size + column;
      out[to] = red * gain + scale.offset;
      out[to + plane] = green * gain + scale.offset;
      out[to + 2 * plane] = blue * gain + scale.offset;
    }
  }
}

/** The similarity that cuts the square of side `size` (frame pixels) about a centre, turned by `angle` radians. */
export function squareCrop(
  centreX: number,
  centreY: number,
  size: number,
  angle: number,
  cropSize: number,
): Similarity {
  const a = (Math.cos(angle) * size) / cropSize;
  const b = (Math.sin(angle) * size) / cropSize;
  const half = cropSize / 2;
  return { a, b, tx: centreX - a * half + b * half, ty: centreY - b * half - a * half };
}
