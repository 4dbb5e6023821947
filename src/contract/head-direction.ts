// Where the nose points: the rotation of the upper face against the same face at rest. A smile or an open mouth moves
// the nose tip and the chin of the mesh, but hardly these points: the rotation changes by 3° at most. Pure.
import { LANDMARK_COUNT } from './face-landmarks.ts';
import { type Direction, PITCH_SCALE } from './target.ts';

/** Points of the mesh that neither mouth, eyelids nor brows move: forehead, temples, bridge of the nose, cheekbones. */
export const UPPER_FACE: readonly number[] = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 109, 67, 103, 54, 21, 162, 127, 234, 151, 9, 8, 168, 6, 197,
  195, 5, 33, 133, 362, 263, 108, 337, 69, 299, 104, 333, 68, 298, 116, 345,
];

/** x, y and z of the points of {@link UPPER_FACE}: 39 × 3. All three in one unit, of any size; z grows with distance. */
export type UpperFace = Float32Array;

/** A face at rest. */
export interface RestingFace {
  /** Centred on the origin, of the root mean square size 1. */
  readonly points: UpperFace;
  /** Tilt of its eye line in the picture, in radians, clockwise. */
  readonly roll: number;
}

/** The upper face of a mesh of 468 × 3. */
export function upperFaceOf(landmarks: Float32Array): UpperFace {
  if (landmarks.length !== LANDMARK_COUNT * 3) throw new RangeError(`a mesh of ${landmarks.length} numbers`);
  const points = new Float32Array(UPPER_FACE.length * 3);
  for (const [i, index] of UPPER_FACE.entries())
    points.set(landmarks.subarray(index * 3, index * 3 + 3), i * 3);
  return points;
}

const RIGHT_CORNER = UPPER_FACE.indexOf(33) * 3;
const LEFT_CORNER = UPPER_FACE.indexOf(263) * 3;

/** The person's resting face: each coordinate's median over frames, after centring and scaling; null without frames. */
export function restingFaceOf(faces: readonly UpperFace[]): RestingFace | null {
  if (faces.length === 0) return null;
  const all = faces.map(normalised);
  const points = Float32Array.from(all[0]!, (_, i) => {
    const sorted = all.map((face) => face[i]!).sort((one, other) => one - other);
    return sorted[sorted.length >> 1]!;
  });
  return { points: normalised(points), roll: rollOf(points) };
}

/** Tilt of the eye line in the picture, in radians, clockwise. */
export function rollOf(points: UpperFace): number {
  return Math.atan2(
    points[LEFT_CORNER + 1]! - points[RIGHT_CORNER + 1]!,
    points[LEFT_CORNER]! - points[RIGHT_CORNER]!,
  );
}

/**
 * Where the nose points, relative to the resting face, in that face's own upright axes: the forward direction after the
 * rotation that fits best (Kabsch's problem by Horn's quaternion, 1987). Tilting the head does not change it.
 */
export function directionOf(face: UpperFace, { points, roll }: RestingFace): Direction {
  const [w, x, y, z] = rotationBetween(points, normalised(face));
  // The rotated forward direction (0, 0, −1), towards the camera, in the picture's axes and then in the face's own.
  const right = -2 * (x * z + w * y);
  const down = -2 * (y * z - w * x);
  const towards = 1 - 2 * (x * x + y * y);
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)];
  const left = right * cos + down * sin;
  const up = right * sin - down * cos;
  return {
    x: Math.atan2(left, towards) * DEGREES,
    y: (Math.atan2(up, Math.hypot(left, towards)) * DEGREES) / PITCH_SCALE,
  };
}

const DEGREES = 180 / Math.PI;

function normalised(points: UpperFace): UpperFace {
  const out = new Float32Array(points.length);
  let size = 0;
  for (let axis = 0; axis < 3; axis++) {
    let mean = 0;
    for (let i = axis; i < points.length; i += 3) mean += (3 * points[i]!) / points.length;
    for (let i = axis; i < points.length; i += 3) {
      out[i] = points[i]! - mean;
      size += out[i]! * out[i]!;
    }
  }
  const scale = size > 0 ? Math.sqrt(points.length / 3 / size) : 0;
  for (let i = 0; i < out.length; i++) out[i]! *= scale;
  return out;
}

type Quaternion = readonly [w: number, x: number, y: number, z: number];

/** Two to the power of this many power iterations: more than a mesh of whole pixels can tell. */
const SQUARINGS = 7;

/**
 * The unit quaternion that turns `from` onto `to` best, in the sense of least squares: the eigenvector of Horn's matrix
 * with the largest eigenvalue, by power iteration from the identity. Both are centred and of size 1, so that adding
 * their number of points to the diagonal makes every eigenvalue positive.
 */
function rotationBetween(from: UpperFace, to: UpperFace): Quaternion {
  const [xx, xy, xz] = productsOf(from, 0, to);
  const [yx, yy, yz] = productsOf(from, 1, to);
  const [zx, zy, zz] = productsOf(from, 2, to);
  const shift = from.length / 3;
  let matrix = new Float64Array(16);
  matrix.set([xx + yy + zz + shift, yz - zy, zx - xz, xy - yx], 0);
  matrix.set([yz - zy, xx - yy - zz + shift, xy + yx, zx + xz], 4);
  matrix.set([zx - xz, xy + yx, yy - xx - zz + shift, yz + zy], 8);
  matrix.set([xy - yx, zx + xz, yz + zy, zz - xx - yy + shift], 12);
  for (let i = 0; i < SQUARINGS; i++) matrix = squared(matrix);
  const [w, x, y, z] = matrix as unknown as Quaternion;
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}

/** Sums over all points of one coordinate of `from` times each of `to`. */
function productsOf(from: UpperFace, axis: number, to: UpperFace): [x: number, y: number, z: number] {
  const sums: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < from.length; i += 3) {
    sums[0] += from[i + axis]! * to[i]!;
    sums[1] += from[i + axis]! * to[i + 1]!;
    sums[2] += from[i + axis]! * to[i + 2]!;
  }
  return sums;
}

/** The square of a symmetric matrix of 4 × 4, scaled to a trace of 1. */
function squared(matrix: Float64Array): Float64Array<ArrayBuffer> {
  const out = new Float64Array(16);
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++)
      for (let k = 0; k < 4; k++) out[row * 4 + column]! += matrix[row * 4 + k]! * matrix[k * 4 + column]!;
  const trace = out[0]! + out[5]! + out[10]! + out[15]!;
  for (let i = 0; i < out.length; i++) out[i]! /= trace;
  return out;
}
