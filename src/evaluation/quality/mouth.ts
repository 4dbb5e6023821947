// Whether something covers the lower face, by its colour compared with the forehead's. It only explains, and never
// decides.
import { pointAt } from '../../contract/face-landmarks.ts';
import type { ObservedFace } from '../face/observation.ts';
import type { Frame } from '../video/frame.ts';

/**
 * Colour shift above which something covers the lower face: a block or a mask 0.12–0.3, bare faces with and without
 * beards ≤ 0.05 (quality bench: 27 clips and photographs).
 */
export const MAX_COLOUR_SHIFT = 0.08;
/** Mesh points on bare skin: middle of the forehead; philtrum, chin and cheeks. */
const FOREHEAD = [9, 151, 108, 337];
const LOWER_FACE = [164, 199, 50, 280];
/** Half a patch's side, in eye distances. */
const PATCH = 0.06;
/** Keeps noise from determining the colour of near-black patches. */
const DARK = 3;

/** Distance of the two skin colours in the r, g chromaticity plane, each the median of four patches. 0 to about 1. */
export function lowerFaceColourShift(frame: Frame, face: ObservedFace): number {
  const half = Math.max(1, Math.round(face.eyeDistancePx * PATCH));
  const [forehead, lower] = [FOREHEAD, LOWER_FACE].map((points) => {
    const colours = points.map((point) => chromaticity(frame, pointAt(face.landmarks, point), half));
    return { r: middle(colours.map(({ r }) => r)), g: middle(colours.map(({ g }) => g)) };
  });
  return Math.hypot(forehead!.r - lower!.r, forehead!.g - lower!.g);
}

function chromaticity(
  { width, height, rgb }: Frame,
  centre: { x: number; y: number },
  half: number,
): { r: number; g: number } {
  let red = 0;
  let green = 0;
  let blue = 0;
  let count = 0;
  const [left, top] = [Math.round(centre.x) - half, Math.round(centre.y) - half];
  for (let y = Math.max(0, top); y <= Math.min(height - 1, top + 2 * half); y++) {
    for (let x = Math.max(0, left); x <= Math.min(width - 1, left + 2 * half); x++) {
      const at = (y * width + x) * 3;
      red += rgb[at]!;
      green += rgb[at + 1]!;
      blue += rgb[at + 2]!;
      count++;
    }
  }
  const total = red + green + blue + DARK * count + 1;
  return { r: red / total, g: green / total };
}

function middle(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[1]! + sorted[2]!) / 2;
}
