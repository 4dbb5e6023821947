// A head of points for tests of what guidance reads from a mesh: it can look in any direction.
import { UPPER_FACE, type UpperFace } from '../../../src/contract/head-direction.ts';
import { type Direction, PITCH_SCALE } from '../../../src/contract/target.ts';
import { seededRandom } from '../../../src/lab/random.ts';
import type { SeenFace } from '../../../web/capture/guidance/hint.ts';

type Point = readonly [x: number, y: number, z: number];

const random = seededRandom(1);
const spread = (size: number) => (random() - 0.5) * size;
/** Points about a skull's front; the eyes' outer corners are level. */
const POINTS: readonly Point[] = UPPER_FACE.map((index): Point => {
  if (index === 33) return [-50, 0, 10];
  if (index === 263) return [50, 0, 10];
  const [x, y] = [spread(140), spread(120)];
  return [x, y, (x * x + y * y) / 140 - 20 + spread(6)];
});

const RADIANS = Math.PI / 180;

/** The upper face of a head that tilts clockwise and looks in a direction. */
export function upperFaceLooking({ x, y }: Direction, rollDeg = 0): UpperFace {
  const turn = (angle: number, a: number, b: number): [number, number] => [
    a * Math.cos(angle) - b * Math.sin(angle),
    a * Math.sin(angle) + b * Math.cos(angle),
  ];
  const turned = POINTS.flatMap(([px, py, pz]) => {
    const [x1, y1] = turn(rollDeg * RADIANS, px, py);
    const [y2, z2] = turn(-y * PITCH_SCALE * RADIANS, y1, pz);
    const [z3, x3] = turn(-x * RADIANS, z2, x1);
    return [x3 + 320, y2 + 240, z3];
  });
  return Float32Array.from(turned);
}

/** What guidance sees of that head. */
export function seenFace(
  measures: SeenFace['measures'],
  direction: Direction = { x: 0, y: 0 },
  change: Partial<SeenFace> = {},
): SeenFace {
  const box = { x: 220, y: 140, width: 200, height: 200 };
  const upperFace = upperFaceLooking(direction);
  return { ...box, yaw: 0, pitch: 0, lowerFaceShift: 0, measures, upperFace, ...change };
}
