import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  directionOf,
  restingFaceOf,
  rollOf,
  UPPER_FACE,
  upperFaceOf,
} from '../../src/contract/head-direction.ts';
import { meshTowards } from '../support/turned-mesh.ts';

const AHEAD = { x: 0, y: 0 };
const turn = fc.double({ min: -30, max: 30, noNaN: true });
const roll = fc.double({ min: -0.35, max: 0.35, noNaN: true });
const restingFace = (rollRadians = 0) => restingFaceOf([upperFaceOf(meshTowards(AHEAD, rollRadians))])!;

describe('the direction of a head', () => {
  it('is where the nose points, whatever the face size, place and tilt', () => {
    fc.assert(
      fc.property(turn, turn, roll, fc.double({ min: 0.2, max: 5, noNaN: true }), (x, y, tilt, size) => {
        const mesh = meshTowards({ x, y }, tilt).map((value) => value * size + 31);
        const seen = directionOf(upperFaceOf(mesh), restingFace(tilt));
        expect(seen.x).toBeCloseTo(x, 2);
        expect(seen.y).toBeCloseTo(y, 2);
      }),
    );
  });

  it('does not change when the head is tilted after it was at rest', () => {
    fc.assert(
      fc.property(roll, (tilt) => {
        const { x, y } = directionOf(upperFaceOf(meshTowards(AHEAD, tilt)), restingFace());
        expect(Math.hypot(x, y)).toBeLessThan(0.01);
      }),
    );
  });

  it('is not moved by a mouth that opens', () => {
    const talking = meshTowards({ x: 10, y: 5 });
    for (const point of [0, 13, 14, 17, 61, 152, 291]) talking[point * 3 + 1]! += 25;
    const { x, y } = directionOf(upperFaceOf(talking), restingFace());
    expect([x, y]).toEqual([expect.closeTo(10, 2), expect.closeTo(5, 2)]);
  });

  it('is measured from the median of the frames at rest', () => {
    const rests = [0, 0.2, -0.2, 0.1, 25].map((x) => upperFaceOf(meshTowards({ x, y: 0 })));
    const { x } = directionOf(upperFaceOf(meshTowards({ x: 12, y: 0 })), restingFaceOf(rests)!);
    expect(x).toBeCloseTo(12, 0);
    expect(restingFaceOf([])).toBeNull();
  });
});

it('reads 39 different points, and the tilt of the eye line', () => {
  expect(new Set(UPPER_FACE).size).toBe(39);
  expect(rollOf(upperFaceOf(meshTowards(AHEAD, 0.2)))).toBeCloseTo(0.2, 4);
  expect(() => upperFaceOf(new Float32Array(3))).toThrow(RangeError);
});
