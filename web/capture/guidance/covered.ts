// Detects whether something covers the lower face by comparing its colour with the forehead's, as
// src/evaluation/quality/mouth.ts does. Only a hint for the person; the page cannot import the server's judgement.

/** Points of the face mesh on bare skin: the middle of the forehead; the philtrum, chin and cheeks. */
const FOREHEAD = [9, 151, 108, 337];
const LOWER_FACE = [164, 199, 50, 280];
/** Outer corners of the eyes. */
const EYES = [33, 263] as const;
/** Half the side of a patch, in distances between the outer corners. */
const PATCH = 0.04;
/** Keeps the chromaticity of near-black patches from being noise. */
const DARK = 3;

type Point = readonly (number | undefined)[];

/** Distance between the two skin colours in the r, g chromaticity plane; 0 without a mesh. */
export function lowerFaceShift(image: ImageData, mesh: readonly Point[]): number {
  const [left, right] = [mesh[EYES[0]], mesh[EYES[1]]];
  if (!left || !right) return 0;
  const half = Math.max(1, Math.round(Math.hypot(left[0]! - right[0]!, left[1]! - right[1]!) * PATCH));
  const colour = (points: readonly number[]) => {
    const patches = points.map((point) => patchColour(image, mesh[point] ?? left, half));
    return { r: middle(patches.map(({ r }) => r)), g: middle(patches.map(({ g }) => g)) };
  };
  const forehead = colour(FOREHEAD);
  const lower = colour(LOWER_FACE);
  return Math.hypot(forehead.r - lower.r, forehead.g - lower.g);
}

function patchColour(
  { width, height, data }: ImageData,
  point: Point,
  half: number,
): { r: number; g: number } {
  const [left, top] = [Math.round(point[0]!) - half, Math.round(point[1]!) - half];
  let red = 0;
  let green = 0;
  let blue = 0;
  let count = 0;
  for (let y = Math.max(0, top); y <= Math.min(height - 1, top + 2 * half); y += 1) {
    for (let x = Math.max(0, left); x <= Math.min(width - 1, left + 2 * half); x += 1) {
      const at = (y * width + x) * 4;
      red += data[at]!;
      green += data[at + 1]!;
      blue += data[at + 2]!;
      count += 1;
    }
  }
  const total = red + green + blue + DARK * count + 1;
  return { r: red / total, g: green / total };
}

/** The mean of the two middle values of four. */
function middle(values: number[]): number {
  const sorted = values.sort((one, other) => one - other);
  return (sorted[1]! + sorted[2]!) / 2;
}
