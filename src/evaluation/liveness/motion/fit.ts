// How well a plane's movement explains followed points: fits a similarity and a homography by least squares.
import type { Spot } from './flow.ts';

/** Where a point was and where it moved to. */
export interface Moved {
  readonly from: Spot;
  readonly to: Spot;
}

/** Root mean square residual of the best similarity, in the points' unit. */
export function similarityResidual(moved: readonly Moved[]): number {
  const { length } = moved;
  const mean = centre(moved);
  let a = 0;
  let b = 0;
  let spread = 0;
  let total = 0;
  for (const { from, to } of moved) {
    const x = from.x - mean.fromX;
    const y = from.y - mean.fromY;
    const u = to.x - mean.toX;
    const v = to.y - mean.toY;
    a += x * u + y * v;
    b += x * v - y * u;
    spread += x * x + y * y;
    total += u * u + v * v;
  }
  if (spread === 0) return 0;
  return Math.sqrt(Math.max(0, total - (a * a + b * b) / spread) / length);
}

function centre(moved: readonly Moved[]) {
  const mean = { fromX: 0, fromY: 0, toX: 0, toY: 0 };
  for (const { from, to } of moved) {
    mean.fromX += from.x / moved.length;
    mean.fromY += from.y / moved.length;
    mean.toX += to.x / moved.length;
    mean.toY += to.y / moved.length;
  }
  return mean;
}

const UNKNOWNS = 8;

/**
 * Root mean square residual of the best homography; null if the points do not determine one. Direct linear transform
 * with h₃₃ = 1 over points scaled to unit spread (Hartley 1997).
 */
export function homographyResidual(moved: readonly Moved[]): number | null {
  const mean = centre(moved);
  const spread = Math.sqrt(
    moved.reduce((sum, { from }) => sum + (from.x - mean.fromX) ** 2 + (from.y - mean.fromY) ** 2, 0) /
      moved.length,
  );
  if (spread === 0) return null;
  const normal = Array.from({ length: UNKNOWNS }, () => new Float64Array(UNKNOWNS + 1));
  const points = moved.map(({ from, to }) => ({
    x: (from.x - mean.fromX) / spread,
    y: (from.y - mean.fromY) / spread,
    u: (to.x - mean.toX) / spread,
    v: (to.y - mean.toY) / spread,
  }));
  for (const { x, y, u, v } of points) {
    addEquation(normal, [x, y, 1, 0, 0, 0, -u * x, -u * y], u);
    addEquation(normal, [0, 0, 0, x, y, 1, -v * x, -v * y], v);
  }
  const h = solve(normal);
  if (!h) return null;
  let sum = 0;
  for (const { x, y, u, v } of points) {
    const w = h[6]! * x + h[7]! * y + 1;
    sum += ((h[0]! * x + h[1]! * y + h[2]!) / w - u) ** 2 + ((h[3]! * x + h[4]! * y + h[5]!) / w - v) ** 2;
  }
  return Math.sqrt(sum / moved.length) * spread;
}

function addEquation(normal: Float64Array[], row: readonly number[], value: number): void {
  for (let i = 0; i < UNKNOWNS; i++) {
    for (let j = 0; j < UNKNOWNS; j++) normal[i]![j] = normal[i]![j]! + row[i]! * row[j]!;
    normal[i]![UNKNOWNS] = normal[i]![UNKNOWNS]! + row[i]! * value;
  }
}

/** Gaussian elimination with pivoting; null if singular. */
function solve(matrix: Float64Array[]): number[] | null {
  for (let column = 0; column < UNKNOWNS; column++) {
    let pivot = column;
    for (let row = column + 1; row < UNKNOWNS; row++)
      if (Math.abs(matrix[row]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = row;
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    const head = matrix[column]![column]!;
    if (Math.abs(head) < 1e-9) return null;
    for (let row = 0; row < UNKNOWNS; row++) {
      if (row === column) continue;
      const factor = matrix[row]![column]! / head;
      for (let k = column; k <= UNKNOWNS; k++)
        matrix[row]![k] = matrix[row]![k]! - factor * matrix[column]![k]!;
    }
  }
  return matrix.map((row, i) => row[UNKNOWNS]! / row[i]!);
}
