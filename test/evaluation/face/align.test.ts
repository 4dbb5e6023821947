// Alignment is exact on known points, and the least-squares fit is the true similarity where there is one.
import { expect, test } from 'vitest';
import { LEFT_EYE, RIGHT_EYE } from '../../../src/contract/face-landmarks.ts';
import { alignment, fitSimilarity } from '../../../src/evaluation/face/align.ts';

/** The ArcFace template, measured from pixel corners. */
const template = [
  [38.7946, 52.1963],
  [74.0318, 52.0014],
  [56.5252, 72.2366],
  [42.0493, 92.8655],
  [71.2299, 92.7041],
] as const;

/** A mesh whose five points are the template's, rotated, scaled and translated. */
function meshAt(scale: number, angle: number, dx: number, dy: number): Float32Array {
  const landmarks = new Float32Array(468 * 3);
  const groups = [RIGHT_EYE.contour, LEFT_EYE.contour, [1], [61], [291]];
  for (const [i, indices] of groups.entries()) {
    const [x, y] = template[i]!;
    for (const index of indices) {
      landmarks[index * 3] = scale * (Math.cos(angle) * x - Math.sin(angle) * y) + dx;
      landmarks[index * 3 + 1] = scale * (Math.sin(angle) * x + Math.cos(angle) * y) + dy;
    }
  }
  return landmarks;
}

test.each([
  [1, 0, 0, 0],
  [2.5, 0.3, 200, 90],
  [0.7, -1.2, -40, 310],
])('maps a face at scale %f, angle %f, (%f, %f) onto the template', (scale, angle, dx, dy) => {
  const map = alignment(meshAt(scale, angle, dx, dy), 112);
  expect(map.a).toBeCloseTo(scale * Math.cos(angle), 3);
  expect(map.b).toBeCloseTo(scale * Math.sin(angle), 3);
  expect(map.tx).toBeCloseTo(dx, 1);
  expect(map.ty).toBeCloseTo(dy, 1);
});

test('a crop twice as large maps at half the scale', () => {
  const landmarks = meshAt(3, 0.1, 50, 60);
  expect(alignment(landmarks, 224).a).toBeCloseTo(alignment(landmarks, 112).a / 2, 6);
});

test('the fit does not mirror', () => {
  const from = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 0, y: 2 },
  ];
  const mirrored = from.map(({ x, y }) => ({ x: -x, y }));
  const { a, b } = fitSimilarity(from, mirrored);
  // The best rotation without a mirror leaves the long side in place.
  expect(a).toBeGreaterThan(0);
  expect(Math.abs(b)).toBeLessThan(a);
});
