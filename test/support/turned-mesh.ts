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
  const out = new Float32Array(LANDMARK_COUNT * 3);
  const yaw = head.x * RADIANS;
  const pitch = head.y * PITCH_SCALE * RADIANS;
  for (let i = 0; i < LANDMARK_COUNT; i++) {
    const [x, y, z] = pointOf(i);
    const up = y * Math.cos(pitch) + z * Math.sin(pitch);
    const deep = z * Math.cos(pitch) - y * Math.sin(pitch);
    const side = x * Math.cos(yaw) - deep * Math.sin(yaw);
    const far = x * Math.sin(yaw) + deep * Math.cos(yaw);
    const [cos, sin] = [Math.cos(rollRadians), Math.sin(rollRadians)];
    out.set([200 + side * cos - up * sin, 200 + side * sin + up * cos, far], i * 3);
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
