// How bright the picture is, and what that says before the detector is loaded.
import { type Hint, LIMITS } from './hint.ts';

/** A region of the picture, in its pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is known without a detector: too little light, too much, or only where the face should be. */
export type LightHint = Extract<Hint, 'too_dark' | 'too_bright'> | 'place';

/** The region where a face should be. */
export function middleOf({ width, height }: Pick<ImageData, 'width' | 'height'>): Box {
  return { x: width * 0.3, y: height * 0.2, width: width * 0.4, height: height * 0.6 };
}

/** Mean luma (ITU-R BT.601) of a box, 0–255, sampled every `step` pixels in both directions. */
export function meanLuma(image: ImageData, box: Box, step: number): number {
  const fromX = Math.max(0, Math.floor(box.x));
  const toX = Math.min(image.width, Math.ceil(box.x + box.width));
  const toY = Math.min(image.height, Math.ceil(box.y + box.height));
  let sum = 0;
  let count = 0;
  for (let row = Math.max(0, Math.floor(box.y)); row < toY; row += step) {
    for (let column = fromX; column < toX; column += step) {
      const at = (row * image.width + column) * 4;
      sum += 0.299 * image.data[at]! + 0.587 * image.data[at + 1]! + 0.114 * image.data[at + 2]!;
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

/** Judges the light where a face should be, by the limits that apply to a face. */
export function lightHint(picture: ImageData): LightHint {
  const luma = meanLuma(picture, middleOf(picture), 1);
  if (luma < LIMITS.minLuma) return 'too_dark';
  return luma > LIMITS.maxLuma ? 'too_bright' : 'place';
}
