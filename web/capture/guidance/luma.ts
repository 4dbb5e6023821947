// How bright the picture is, and what that says before the detector is loaded; and whether it has colours.
import { type Hint, LIMITS, type Observation } from './hint.ts';

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

/** Measures a box of a picture, sampled every `step` pixels in both directions; zeros for an empty one. */
export function meanPixels(
  { width, height, data }: Pick<ImageData, 'width' | 'height' | 'data'>,
  box: Box,
  step: number,
): Pick<Observation, 'luma' | 'colour'> {
  const fromX = Math.max(0, Math.floor(box.x));
  const toX = Math.min(width, Math.ceil(box.x + box.width));
  const toY = Math.min(height, Math.ceil(box.y + box.height));
  let luma = 0;
  let colour = 0;
  let count = 0;
  for (let row = Math.max(0, Math.floor(box.y)); row < toY; row += step) {
    for (let column = fromX; column < toX; column += step) {
      const at = (row * width + column) * 4;
      const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
      luma += 0.299 * red + 0.587 * green + 0.114 * blue;
      colour += Math.max(red, green, blue) - Math.min(red, green, blue);
      count += 1;
    }
  }
  return count === 0 ? { luma: 0, colour: 0 } : { luma: luma / count, colour: colour / count };
}

/** Judges the light where a face should be, by the limits that apply to a face. */
export function lightHint(picture: ImageData): LightHint {
  const { luma } = meanPixels(picture, middleOf(picture), 1);
  if (luma < LIMITS.minLuma) return 'too_dark';
  return luma > LIMITS.maxLuma ? 'too_bright' : 'place';
}
