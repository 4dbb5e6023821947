// Light and sharpness of one face, from its pixels. Measured in every judged frame.
import { cropRgb, squareCrop } from '../face/crop.ts';
import type { ObservedFace } from '../face/observation.ts';
import { withScratchSync } from '../scratch.ts';
import type { Frame } from '../video/frame.ts';

export interface PixelQuality {
  /** Mean luma of the inner face, 0–255. */
  readonly brightness: number;
  /** Share of its pixels at the upper end of the range, 0–1: burnt out, no detail left. */
  readonly burntShare: number;
  /** Mean absolute Laplacian divided by the standard deviation of luma: fine detail relative to contrast. */
  readonly sharpness: number;
  /**
   * Difference of the mean luma of the face's halves over their sum: 0 if evenly lit, 0.33 if one side is twice as
   * bright.
   */
  readonly unevenness: number;
}

/** Least mean luma: 24 in the darkened clip, 76 and more in genuine ones, 60 in dark skin well lit (quality bench). */
export const MIN_BRIGHTNESS = 40;
/** Largest share of burnt-out pixels: 0 in every genuine clip (quality bench). */
export const MAX_BURNT_SHARE = 0.25;
/** Least fine detail relative to contrast: 0.069 in the blurred clip, 0.084–0.33 in genuine ones (quality bench). */
export const MIN_SHARPNESS = 0.075;

/** Side of the crop, about that of the face in a selfie at 640 × 480, so that shrinking does not hide blur. */
const SIZE = 128;
const PLANE = SIZE * SIZE;
/** Side of the crop in eye distances: brow to chin, without hair and background. */
const EYE_DISTANCES = 2.2;
/** Luma from which a pixel counts as burnt out. Chosen, not measured. */
const BURNT_LUMA = 250;

/** Measures the inner face of a frame. */
export function measurePixels(frame: Frame, face: ObservedFace): PixelQuality {
  const { box } = face;
  const map = squareCrop(
    box.x + box.width / 2,
    box.y + box.height / 2,
    EYE_DISTANCES * face.eyeDistancePx,
    face.roll,
    SIZE,
  );
  return withScratchSync(3 * PLANE, (rgb) => {
    cropRgb(frame, map, SIZE, { gain: 1, offset: 0 }, rgb);
    return withScratchSync(PLANE, (luma) => measureCrop(rgb, luma));
  });
}

/** Measures a crop; fills `luma` with its grey values. */
function measureCrop(rgb: Float32Array, luma: Float32Array): PixelQuality {
  let sum = 0;
  let squares = 0;
  let burnt = 0;
  let right = 0;
  for (let i = 0; i < PLANE; i++) {
    const value = 0.299 * rgb[i]! + 0.587 * rgb[i + PLANE]! + 0.114 * rgb[i + 2 * PLANE]!;
    luma[i] = value;
    sum += value;
    squares += value * value;
    if (value >= BURNT_LUMA) burnt++;
    if (i % SIZE >= SIZE / 2) right += value;
  }
  const brightness = sum / PLANE;
  const deviation = Math.sqrt(Math.max(0, squares / PLANE - brightness * brightness));
  return {
    brightness,
    burntShare: burnt / PLANE,
    sharpness: meanLaplacian(luma) / (deviation + 1),
    // One grey level per pixel keeps noise from making near-black faces uneven.
    unevenness: Math.abs(sum - 2 * right) / (sum + PLANE),
  };
}

function meanLaplacian(luma: Float32Array): number {
  let sum = 0;
  for (let y = 1; y < SIZE - 1; y++) {
    for (let x = 1; x < SIZE - 1; x++) {
      const i = y * SIZE + x;
      sum += Math.abs(4 * luma[i]! - luma[i - 1]! - luma[i + 1]! - luma[i - SIZE]! - luma[i + SIZE]!);
    }
  }
  return sum / ((SIZE - 2) * (SIZE - 2));
}
