// A mesh of points on half an egg, turned: a face for tests that need its direction and no pixels.
import { LANDMARK_COUNT } from '../../src/contract/face-landmarks.ts';
import { type Direction, PITCH_SCALE } from '../../src/contract/target.ts';

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Half width, half height and depth, in pixels. */
const EGG = { width: 80, height: 100, depth: 70 };
/** Where the outer corners of the eyes are, for a level eye line. */
const EYES = [
  [33, -50],
  [263, 50],
] as const;
const RADIANS = Math.PI / 180;

/**
 * The mesh of a head at (200, 200) that was turned towards `head` and then tilted by `rollRadians`, clockwise in the
 * picture.
 */
export function meshTowards(head: Direction, rollRadians = 0): Float32Array {
  const ahead = new Float32Array(LANDMARK_COUNT * 3);
  for (let i = 0; i < LANDMARK_COUNT; i++) ahead.set(pointOf(i), i * 3);
  return turned(ahead, head, rollRadians).map((value, i) => (i % 3 === 2 ? value : value + 200));
}

/** A mesh, 468 × 3, turned about its own middle. */
export function turnedMesh(landmarks: Float32Array, head: Direction): Float32Array {
  const middle = [0, 1, 2].map((axis) => {
    let sum = 0;
    for (let i = axis; i < landmarks.length; i += 3) sum += landmarks[i]!;
    return sum / LANDMARK_COUNT;
  });
  const centred = landmarks.map((value, i) => value - middle[i % 3]!);
  return turned(centred, head, 0).map((value, i) => value + middle[i % 3]!);
}

function turned(points: Float32Array, head: Direction, rollRadians: number): Float32Array {
  const out = new Float32Array(points.length);
  const yaw = head.x * RADIANS;
  const pitch = head.y * PITCH_SCALE * RADIANS;
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i]!, points[i + 1]!, points[i + 2]!];
    const up = y * Math.cos(pitch) + z * Math.sin(pitch);
    const deep = z * Math.cos(pitch) - y * Math.sin(pitch);
    const side = x * Math.cos(yaw) - deep * Math.sin(yaw);
    const far = x * Math.sin(yaw) + deep * Math.cos(yaw);
    const [cos, sin] = [Math.cos(rollRadians), Math.sin(rollRadians)];
    out.set([side * cos - up * sin, side * sin + up * cos, far], i);
  }
  return out;
}

/** Points spread evenly over the half that faces the camera. */
function pointOf(i: number): [x: number, y: number, z: number] {
  const eye = EYES.find(([index]) => index === i);
  if (eye) return [eye[1], -30, -40];
  const towards = (i + 0.5) / LANDMARK_COUNT;
  const around = Math.sqrt(1 - towards * towards);
  const angle = i * GOLDEN_ANGLE;
  return [EGG.width * around * Math.cos(angle), EGG.height * around * Math.sin(angle), -EGG.depth * towards];
}
