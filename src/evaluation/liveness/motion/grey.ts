// Turns frames into pyramids of small grey pictures, on which points are followed. First step of measuring motion.
import type { Frame } from '../../video/frame.ts';

/** A grey picture, row by row. */
export interface Grey {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array;
}

/** A picture and its successive halves, finest first. `scale`: pixels of the finest level per pixel of the frame. */
export interface Pyramid {
  readonly levels: readonly Grey[];
  readonly scale: number;
}

/**
 * Long side of the finest level, for an eye distance of 30–50 pixels in a selfie; a finer one costs time and follows
 * points no better. Chosen, not measured.
 */
const MAX_LONG_SIDE_PX = 400;
const LEVELS = 3;

/** The frame's pyramid. It shrinks by whole factors only, because a mean over blocks preserves sub-pixel positions. */
export function pyramidOf(frame: Frame): Pyramid {
  const factor = Math.max(1, Math.ceil(Math.max(frame.width, frame.height) / MAX_LONG_SIDE_PX));
  const levels = [shrunkGrey(frame, factor)];
  while (levels.length < LEVELS) levels.push(half(levels.at(-1)!));
  return { levels, scale: 1 / factor };
}

function shrunkGrey({ width, height, rgb }: Frame, factor: number): Grey {
  const small = { width: Math.floor(width / factor), height: Math.floor(height / factor) };
  const pixels = new Float32Array(small.width * small.height);
  const share = 1 / (factor * factor);
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      let sum = 0;
      for (let dy = 0; dy < factor; dy++) {
        let at = ((y * factor + dy) * width + x * factor) * 3;
        for (let dx = 0; dx < factor; dx++, at += 3)
          sum += 0.299 * rgb[at]! + 0.587 * rgb[at + 1]! + 0.114 * rgb[at + 2]!;
      }
      pixels[y * small.width + x] = sum * share;
    }
  }
  return { ...small, pixels };
}

function half({ width, height, pixels }: Grey): Grey {
  const small = { width: width >> 1, height: height >> 1 };
  const halved = new Float32Array(small.width * small.height);
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const at = 2 * y * width + 2 * x;
      halved[y * small.width + x] =
        (pixels[at]! + pixels[at + 1]! + pixels[at + width]! + pixels[at + width + 1]!) / 4;
    }
  }
  return { ...small, pixels: halved };
}

/** Bilinear value at (x, y), which must lie at least one pixel inside. */
export function valueAt({ width, pixels }: Grey, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const fx = x - left;
  const fy = y - top;
  const at = top * width + left;
  return (
    (1 - fy) * ((1 - fx) * pixels[at]! + fx * pixels[at + 1]!) +
    fy * ((1 - fx) * pixels[at + width]! + fx * pixels[at + width + 1]!)
  );
}
