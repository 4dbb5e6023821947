// Light and sharpness of one face, from its pixels. Measured in every judged frame.
import { cropRgb, squareCrop } from '../face/crop.ts';
import type { ObservedFace } from '../face/observation.ts';
import { withScratchSync } from '../scratch.ts';
import type { Frame } from '../video/frame.ts';

export interface PixelQuality {
  /** Mean luma of the inner face, 0–255. */
  readonly brightness: number;
  /** Standard deviation of its luma: small in flat light, in the dark and behind a veil of stray light. */
  readonly contrast: number;
  /** Luma of the bright part of the picture around the face: a tenth of it is brighter. 0 if the face fills the picture. */
  readonly surround: number;
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
/**
 * Least brightness as a share of the surround's; below it the light comes from behind. Medians of genuine takes (11
 * persons in the environments of bench:pad): 0.34 and more in usual light, 0.16–0.29 in back light before a bright wall.
 * Of 400 photographs of LFW none is below 0.34; of 34 webcam pictures of NUAA 7 are, at 0.27–0.3, before a window. Not
 * measured by tone of skin: a dark face before a white wall may be below.
 */
export const MIN_SHARE_OF_SURROUND = 0.3;
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

/** Every so many pixels of the surround, in both directions, are looked at. */
const SURROUND_STEP = 4;
/** Share of the surround that is brighter than its bright part. */
const BRIGHT_PART = 0.1;

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
  const surround = surroundOf(frame, face);
  return withScratchSync(3 * PLANE, (rgb) => {
    cropRgb(frame, map, SIZE, { gain: 1, offset: 0 }, rgb);
    return withScratchSync(PLANE, (luma) => ({ ...measureCrop(rgb, luma), surround }));
  });
}

function surroundOf({ width, height, rgb }: Frame, { box }: ObservedFace): number {
  const counts = new Uint32Array(256);
  let count = 0;
  for (let y = 0; y < height; y += SURROUND_STEP) {
    const besideFace = y >= box.y && y < box.y + box.height;
    for (let x = 0; x < width; x += SURROUND_STEP) {
      if (besideFace && x >= box.x && x < box.x + box.width) continue;
      const at = (y * width + x) * 3;
      counts[Math.floor(0.299 * rgb[at]! + 0.587 * rgb[at + 1]! + 0.114 * rgb[at + 2]!)]!++;
      count++;
    }
  }
  let luma = 255;
  for (let brighter = counts[255]!; luma > 0 && brighter < BRIGHT_PART * count; ) brighter += counts[--luma]!;
  return count > 0 ? luma : 0;
}

/** Measures a crop; fills `luma` with its grey values. */
function measureCrop(rgb: Float32Array, luma: Float32Array): Omit<PixelQuality, 'surround'> {
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
    contrast: deviation,
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
