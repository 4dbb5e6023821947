// Whether something covers the lower face, by its colour compared with the forehead's. A covered frame is no portrait and
// says nothing of whose face it is.
import { pointAt } from '../../contract/face-landmarks.ts';
import type { ObservedFace } from '../face/observation.ts';
import type { Frame } from '../video/frame.ts';

/**
 * Colour shift above which something covers the lower face: a block or a mask 0.12–0.3, bare faces with and without
 * beards ≤ 0.05 (quality bench: 27 clips and photographs).
 */
export const MAX_COLOUR_SHIFT = 0.08;
/**
 * Luma of a forehead whose colour can be compared: 89–219 in usual light. Colours bend where they are dark or burnt out,
 * and a lower face in the shade becomes redder than the forehead: that does not count. Of 6,285 frames of bare faces in
 * the environments of bench:pad (145 takes of 11 persons, 45 % in back light), 1,064 lie above MAX_COLOUR_SHIFT
 * without these two conditions, by up to 0.35, and 22 with them, in one over-exposed take.
 */
const LIT = { least: 100, most: 210 };
/** Mesh points on bare skin: middle of the forehead; philtrum, chin and cheeks. */
const FOREHEAD = [9, 151, 108, 337];
const LOWER_FACE = [164, 199, 50, 280];
/** Half a patch's side, in eye distances. */
const PATCH = 0.06;
/** Keeps noise from determining the colour of near-black patches. */
const DARK = 3;

/**
 * Distance of the two skin colours in the r, g chromaticity plane, each the median of four patches: 0 to about 1. Null
 * where the light does not show both colours, or where the lower face is darker and redder than the forehead: that may be
 * shade, and may be a cover of such a colour.
 */
export function lowerFaceColourShift(frame: Frame, face: ObservedFace): number | null {
  const half = Math.max(1, Math.round(face.eyeDistancePx * PATCH));
  const [forehead, lower] = [FOREHEAD, LOWER_FACE].map((points) => {
    const colours = points.map((point) => colourAt(frame, pointAt(face.landmarks, point), half));
    return {
      r: middle(colours.map(({ r }) => r)),
      g: middle(colours.map(({ g }) => g)),
      luma: middle(colours.map(({ luma }) => luma)),
    };
  });
  const isLit = forehead!.luma >= LIT.least && forehead!.luma <= LIT.most;
  const isInShade = lower!.luma < forehead!.luma && lower!.r > forehead!.r;
  if (!isLit || isInShade) return null;
  return Math.hypot(forehead!.r - lower!.r, forehead!.g - lower!.g);
}

function colourAt(
  { width, height, rgb }: Frame,
  centre: { x: number; y: number },
  half: number,
): { r: number; g: number; luma: number } {
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
  const luma = (0.299 * red + 0.587 * green + 0.114 * blue) / Math.max(1, count);
  return { r: red / total, g: green / total, luma };
}

function middle(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[1]! + sorted[2]!) / 2;
}
