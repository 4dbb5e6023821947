// Pixels of a frame → the planar float input of a network, through a similarity (shift, turn, scale).
import type { Frame } from '../video/frame.ts';

/**
 * Maps a point of the crop to the frame: x = a·u − b·v + tx, y = b·u + a·v + ty. Coordinates are continuous: pixel i
 * covers i to i + 1 and its centre lies at i + 0.5, in crop and frame alike.
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

/** Most samples per side for one crop pixel; only a face wider than 600 pixels needs more. Chosen, not measured. */
const MAX_SAMPLES = 6;

/**
 * Fills `out` with the crop, planar RGB (3 · size²), black outside the frame. Bilinear if the crop enlarges the frame
 * or about keeps its scale. If the crop shrinks the frame, each pixel is the mean of n × n frame pixels, n being the
 * rounded shrink factor, which limits aliasing.
 */
export function cropRgb(
  frame: Frame,
  map: Similarity,
  size: number,
  scale: PixelScale,
  out: Float32Array,
): void {
  const shrink = Math.hypot(map.a, map.b);
  if (shrink < 1.5) cropBilinear(frame, map, size, scale, out);
  else cropMean(frame, map, size, scale, Math.min(MAX_SAMPLES, Math.round(shrink)), out);
}

function cropBilinear(
  { width, height, rgb }: Frame,
  { a, b, tx, ty }: Similarity,
  size: number,
  { gain, offset }: PixelScale,
  out: Float32Array,
): void {
  const plane = size * size;
  const pitch = width * 3;
  let to = 0;
  for (let row = 0; row < size; row++) {
    // In the index space of pixel centres, where the neighbours of x are floor(x) and floor(x) + 1.
    let x = a * 0.5 - b * (row + 0.5) + tx - 0.5;
    let y = b * 0.5 + a * (row + 0.5) + ty - 0.5;
    for (let column = 0; column < size; column++, to++, x += a, y += b) {
      if (x >= 0 && y >= 0 && x < width - 1 && y < height - 1) {
        // Most pixels: all four neighbours are inside. The same sums as below.
        const left = (1 - (x - (x | 0))) * gain;
        const right = (x - (x | 0)) * gain;
        const lower = y - (y | 0);
        const upper = 1 - lower;
        const nw = (y | 0) * pitch + (x | 0) * 3;
        const sw = nw + pitch;
        out[to] =
          upper * (left * rgb[nw]! + right * rgb[nw + 3]!) +
          lower * (left * rgb[sw]! + right * rgb[sw + 3]!) +
          offset;
        out[to + plane] =
          upper * (left * rgb[nw + 1]! + right * rgb[nw + 4]!) +
          lower * (left * rgb[sw + 1]! + right * rgb[sw + 4]!) +
          offset;
        out[to + 2 * plane] =
          upper * (left * rgb[nw + 2]! + right * rgb[nw + 5]!) +
          lower * (left * rgb[sw + 2]! + right * rgb[sw + 5]!) +
          offset;
        continue;
      }
      if (x <= -1 || y <= -1 || x >= width || y >= height) {
        out[to] = offset;
        out[to + plane] = offset;
        out[to + 2 * plane] = offset;
        continue;
      }
      const x0 = Math.floor(x);
      const y0 = Math.floor(y);
      const fx = x - x0;
      const fy = y - y0;
      // A neighbour beyond an edge is black: its weight is dropped, and a pixel inside is read in its place.
      const left = x0 < 0 ? 0 : (1 - fx) * gain;
      const right = x0 + 1 >= width ? 0 : fx * gain;
      const upper = y0 < 0 ? 0 : 1 - fy;
      const lower = y0 + 1 >= height ? 0 : fy;
      const nw = Math.max(y0, 0) * pitch + Math.max(x0, 0) * 3;
      const ne = x0 < 0 || x0 + 1 >= width ? nw : nw + 3;
      const down = y0 < 0 || y0 + 1 >= height ? 0 : pitch;
      const sw = nw + down;
      const se = ne + down;
      out[to] =
        upper * (left * rgb[nw]! + right * rgb[ne]!) + lower * (left * rgb[sw]! + right * rgb[se]!) + offset;
      out[to + plane] =
        upper * (left * rgb[nw + 1]! + right * rgb[ne + 1]!) +
        lower * (left * rgb[sw + 1]! + right * rgb[se + 1]!) +
        offset;
      out[to + 2 * plane] =
        upper * (left * rgb[nw + 2]! + right * rgb[ne + 2]!) +
        lower * (left * rgb[sw + 2]! + right * rgb[se + 2]!) +
        offset;
    }
  }
}

function cropMean(
  { width, height, rgb }: Frame,
  { a, b, tx, ty }: Similarity,
  size: number,
  { gain, offset }: PixelScale,
  samples: number,
  out: Float32Array,
): void {
  const plane = size * size;
  const share = gain / (samples * samples);
  const stepA = a / samples;
  const stepB = b / samples;
  const bv = new Float64Array(samples);
  const av = new Float64Array(samples);
  let to = 0;
  for (let row = 0; row < size; row++) {
    const isInside = isRowInside(width, height, { a, b, tx, ty }, row, size);
    for (let j = 0; j < samples; j++) {
      bv[j] = b * (row + (j + 0.5) / samples);
      av[j] = a * (row + (j + 0.5) / samples);
    }
    for (let column = 0; column < size; column++, to++) {
      const au = a * (column + 0.5 / samples);
      const bu = b * (column + 0.5 / samples);
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let j = 0; j < samples; j++) {
        let x = au - bv[j]! + tx;
        let y = bu + av[j]! + ty;
        for (let i = 0; i < samples; i++, x += stepA, y += stepB) {
          if (!isInside && (x < 0 || y < 0 || x >= width || y >= height)) continue;
          const at = ((y | 0) * width + (x | 0)) * 3;
          red += rgb[at]!;
          green += rgb[at + 1]!;
          blue += rgb[at + 2]!;
        }
      }
      out[to] = red * share + offset;
      out[to + plane] = green * share + offset;
      out[to + 2 * plane] = blue * share + offset;
    }
  }
}

/**
 * Whether a row of the crop lies within the frame, a pixel from its edges, so that its samples need no bounds checks.
 */
function isRowInside(
  width: number,
  height: number,
  { a, b, tx, ty }: Similarity,
  row: number,
  size: number,
): boolean {
  for (const v of [row, row + 1]) {
    for (const u of [0, size]) {
      const x = a * u - b * v + tx;
      const y = b * u + a * v + ty;
      if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return false;
    }
  }
  return true;
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

/** Turns crop → frame into frame → crop, and back. */
export function invert({ a, b, tx, ty }: Similarity): Similarity {
  const norm = a * a + b * b;
  return { a: a / norm, b: -b / norm, tx: -(a * tx + b * ty) / norm, ty: (b * tx - a * ty) / norm };
}
