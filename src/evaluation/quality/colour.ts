// How much colour a face has: none in the picture of an infrared camera. It only explains, and never decides.
import type { ObservedFace } from '../face/observation.ts';
import type { Frame } from '../video/frame.ts';

/** Least mean difference between a pixel's channels: 0 in greyscale clips, 18 and more in 23 clips in colour. */
export const MIN_COLOUR = 2;

/** Mean difference between the largest and the smallest channel of the face's pixels, 0–255. */
export function meanColour({ width, height, rgb }: Frame, { box }: Pick<ObservedFace, 'box'>): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.max(0, Math.floor(box.y)); y < Math.min(height, box.y + box.height); y++) {
    for (let x = Math.max(0, Math.floor(box.x)); x < Math.min(width, box.x + box.width); x++) {
      const at = (y * width + x) * 3;
      const [red, green, blue] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
      sum += Math.max(red, green, blue) - Math.min(red, green, blue);
      count++;
    }
  }
  return sum / Math.max(1, count);
}
