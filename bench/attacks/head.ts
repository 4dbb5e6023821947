// A head built from a photograph: its mesh with rings for hair and neck and the background behind, which can turn,
// smile and blink. This is rendering, not capture, and everything made here is labelled so.
import Delaunator from 'delaunator';
import {
  eyeCentre,
  FACE_SIDE_LEFT,
  FACE_SIDE_RIGHT,
  LANDMARK_COUNT,
  LEFT_EYE,
  RIGHT_EYE,
} from '../../src/contract/face-landmarks.ts';
import type { Picture, Surface } from './draw.ts';

/** A photograph and the mesh of its face, both in the photograph's pixels. */
export interface Face {
  readonly picture: Picture;
  readonly landmarks: Float32Array;
}

/** A head's pose at one moment. Angles in radians. */
export interface Pose {
  /** Positive towards the person's own left. */
  readonly yaw: number;
  /** Positive is up. */
  readonly pitch: number;
  /** Positive is clockwise as seen. */
  readonly roll: number;
  /** In eye distances. */
  readonly shiftX: number;
  readonly shiftY: number;
  /** 0: the neutral photograph; 1: the smiling one. */
  readonly smile: number;
  /** 0: open eyes; 1: closed. */
  readonly blink: number;
  /** The lower jaw's drop, in eye distances. */
  readonly jaw: number;
}

export const AT_REST: Pose = { yaw: 0, pitch: 0, roll: 0, shiftX: 0, shiftY: 0, smile: 0, blink: 0, jaw: 0 };

/** The mesh's outline, from the forehead clockwise as seen (MediaPipe's face oval). */
export const OVAL = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
  150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
];
/** Upper lid points, each with the lower one that it meets in a blink. */
const LIDS: readonly (readonly [number, number])[] = [
  [246, 7],
  [161, 163],
  [160, 144],
  [159, 145],
  [158, 153],
  [157, 154],
  [173, 155],
  [466, 249],
  [388, 390],
  [387, 373],
  [386, 374],
  [385, 380],
  [384, 381],
  [398, 382],
];
/** Points that no expression moves much: used to align a smiling photograph with the neutral one. */
const RIGID = [
  33, 133, 263, 362, 168, 6, 197, 195, 10, 109, 338, 151, 9, 8, 127, 356, 234, 454, 21, 251, 54, 284, 103,
  332,
];
const JAW = [
  14, 17, 18, 84, 87, 178, 181, 314, 317, 402, 405, 15, 16, 85, 86, 315, 316, 199, 200, 152, 148, 377, 175,
];

/** Rings around the face: how far out, and how much of the head's movement they follow. */
const RINGS = [
  { out: 1.28, follows: 1 },
  { out: 1.75, follows: 0.15 },
] as const;
/** Distance of the camera from the head's centre, in eye distances: an arm's length. */
const CAMERA_EYE_DISTANCES = 9;

/** A head that can be posed. */
export interface Head {
  readonly surface: Surface;
  /** Positions of all vertices in the neutral photograph's pixels. */
  pose(pose: Pose): Float32Array;
}

/** The shape of another person's smile, without its picture. */
export interface BorrowedSmile {
  readonly neutral: Face;
  readonly smiling: Face;
}

/**
 * Builds the head. `smiling` is another photograph of the person, which lets it smile; without one, the mouth can be
 * bent as `borrowed` bends it.
 */
export function buildHead(neutral: Face, smiling: Face | null, borrowed: BorrowedSmile | null = null): Head {
  const rest = withSurroundings(neutral);
  const count = rest.positions.length / 3;
  const flat = new Float64Array(count * 2);
  for (let i = 0; i < count; i++) {
    flat[i * 2] = rest.positions[i * 3]!;
    flat[i * 2 + 1] = rest.positions[i * 3 + 1]!;
  }
  const triangles = new Uint32Array(new Delaunator(flat).triangles);
  const smile = smiling
    ? layOver(smiling.landmarks, neutral.landmarks)
    : borrowed && borrow(borrowed, neutral.landmarks);
  const surface: Surface = {
    triangles,
    picture: neutral.picture,
    places: Float32Array.from(flat),
    ...(smiling ? { second: secondPicture(smiling, count) } : {}),
  };
  return { surface, pose: (pose) => posed(neutral.landmarks, rest, smile, pose) };
}

interface Rest {
  /** Mesh, rings, border of the photograph; x, y, z. */
  readonly positions: Float32Array;
  /** How much of the head's movement each vertex follows. */
  readonly follows: Float32Array;
}

function withSurroundings({ picture, landmarks }: Face): Rest {
  const { width, height } = picture;
  const axis = axisOf(landmarks);
  const positions = [...landmarks];
  const follows: number[] = Array(LANDMARK_COUNT).fill(1);
  for (const ring of RINGS) {
    for (const point of OVAL) {
      const x = axis.x + (landmarks[point * 3]! - axis.x) * ring.out;
      const y = axis.y + (landmarks[point * 3 + 1]! - axis.y) * ring.out;
      if (x <= 1 || y <= 1 || x >= width - 1 || y >= height - 1) continue;
      positions.push(x, y, axis.z);
      follows.push(ring.follows);
    }
  }
  const steps = 6;
  for (let i = 0; i < steps; i++) {
    const along = i / steps;
    for (const [x, y] of [
      [along, 0],
      [1, along],
      [1 - along, 1],
      [0, 1 - along],
    ] as const) {
      positions.push(x * width, y * height, axis.z + 1);
      follows.push(0);
    }
  }
  return { positions: Float32Array.from(positions), follows: Float32Array.from(follows) };
}

interface Axis {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly eyeDistancePx: number;
}

/** The vertical axis about which a head turns: between the ears. */
function axisOf(landmarks: Float32Array): Axis {
  const right = eyeCentre(landmarks, RIGHT_EYE);
  const left = eyeCentre(landmarks, LEFT_EYE);
  const middle = (coordinate: number) =>
    (landmarks[FACE_SIDE_RIGHT * 3 + coordinate]! + landmarks[FACE_SIDE_LEFT * 3 + coordinate]!) / 2;
  return {
    x: middle(0),
    y: middle(1),
    z: middle(2),
    eyeDistancePx: Math.hypot(left.x - right.x, left.y - right.y),
  };
}

function posed(landmarks: Float32Array, rest: Rest, smile: Float32Array | null, pose: Pose): Float32Array {
  const out = rest.positions.slice();
  const axis = axisOf(landmarks);
  if (smile) for (let i = 0; i < landmarks.length; i++) out[i]! += pose.smile * (smile[i]! - landmarks[i]!);
  for (const [upper, lower] of LIDS)
    for (let k = 0; k < 3; k++)
      out[upper * 3 + k]! += pose.blink * 0.9 * (landmarks[lower * 3 + k]! - landmarks[upper * 3 + k]!);
  for (const point of JAW) out[point * 3 + 1]! += pose.jaw * axis.eyeDistancePx;
  const far = CAMERA_EYE_DISTANCES * axis.eyeDistancePx;
  const [cosYaw, sinYaw] = [Math.cos(pose.yaw), Math.sin(pose.yaw)];
  const [cosPitch, sinPitch] = [Math.cos(pose.pitch), Math.sin(pose.pitch)];
  const [cosRoll, sinRoll] = [Math.cos(pose.roll), Math.sin(pose.roll)];
  for (let i = 0; i < rest.follows.length; i++) {
    const follows = rest.follows[i]!;
    if (follows === 0) continue;
    const dx = out[i * 3]! - axis.x;
    const dy = out[i * 3 + 1]! - axis.y;
    const dz = out[i * 3 + 2]! - axis.z;
    const x1 = dx * cosYaw - dz * sinYaw;
    const z1 = dx * sinYaw + dz * cosYaw;
    const y2 = dy * cosPitch + z1 * sinPitch;
    const z2 = z1 * cosPitch - dy * sinPitch;
    const near = far / (far + z2);
    // The photograph already contains this perspective, so divide it out.
    const was = far / (far + dz);
    const x3 = ((x1 * cosRoll - y2 * sinRoll) * near) / was;
    const y3 = ((x1 * sinRoll + y2 * cosRoll) * near) / was;
    out[i * 3]! += follows * (x3 + pose.shiftX * axis.eyeDistancePx - dx);
    out[i * 3 + 1]! += follows * (y3 + pose.shiftY * axis.eyeDistancePx - dy);
    out[i * 3 + 2] = axis.z + z2;
  }
  return out;
}

/** The smiling picture may show inside the face, but not at its outline. */
function secondPicture({ picture, landmarks }: Face, count: number): NonNullable<Surface['second']> {
  const places = new Float32Array(count * 2);
  const shares = new Float32Array(count);
  const outline = new Set(OVAL);
  for (let i = 0; i < LANDMARK_COUNT; i++) {
    places[i * 2] = landmarks[i * 3]!;
    places[i * 2 + 1] = landmarks[i * 3 + 1]!;
    shares[i] = outline.has(i) ? 0 : 1;
  }
  return { picture, places, shares };
}

/** The mesh bent by another person's movement from neutral to smiling, scaled by eye distance. */
function borrow({ neutral, smiling }: BorrowedSmile, landmarks: Float32Array): Float32Array {
  const over = layOver(smiling.landmarks, neutral.landmarks);
  const scale = axisOf(landmarks).eyeDistancePx / axisOf(neutral.landmarks).eyeDistancePx;
  return landmarks.map((value, i) => value + scale * (over[i]! - neutral.landmarks[i]!));
}

/** `moved`, aligned with `still`: the best affine map of the points that no expression moves. */
function layOver(moved: Float32Array, still: Float32Array): Float32Array {
  const rows = RIGID.map((point) => [moved[point * 3]!, moved[point * 3 + 1]!, moved[point * 3 + 2]!, 1]);
  const out = new Float32Array(moved.length);
  for (let k = 0; k < 3; k++) {
    const solution = leastSquares(
      rows,
      RIGID.map((point) => still[point * 3 + k]!),
    );
    for (let i = 0; i < moved.length; i += 3)
      out[i + k] =
        solution[0]! * moved[i]! + solution[1]! * moved[i + 1]! + solution[2]! * moved[i + 2]! + solution[3]!;
  }
  return out;
}

/** Least squares by normal equations and Gaussian elimination: four unknowns. */
function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const size = rows[0]!.length;
  const system = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
    rows.reduce((sum, row, r) => sum + row[i]! * values[r]!, 0),
  ]);
  for (let pivot = 0; pivot < size; pivot++) {
    const best = system
      .slice(pivot)
      .reduce(
        (at, row, i) => (Math.abs(row[pivot]!) > Math.abs(system[at]![pivot]!) ? pivot + i : at),
        pivot,
      );
    [system[pivot], system[best]] = [system[best]!, system[pivot]!];
    for (let r = 0; r < size; r++) {
      if (r === pivot) continue;
      const factor = system[r]![pivot]! / system[pivot]![pivot]!;
      for (let c = pivot; c <= size; c++) system[r]![c]! -= factor * system[pivot]![c]!;
    }
  }
  return system.map((row, i) => row[size]! / row[i]!);
}
