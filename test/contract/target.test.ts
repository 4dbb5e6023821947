import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AMOUNT_NAMES,
  AMOUNTS,
  angleErrorDeg,
  dotOf,
  isOnTarget,
  MAX_DOWN,
  type Target,
  TOLERANCE_DEG,
} from '../../src/contract/target.ts';

const targets: fc.Arbitrary<Target> = fc.record({
  angle_deg: fc.integer({ min: 0, max: 359 }),
  amount: fc.constantFrom(...AMOUNT_NAMES),
});
const towards = (angleDeg: number, turn: number) => ({
  x: turn * Math.cos((angleDeg * Math.PI) / 180),
  y: turn * Math.sin((angleDeg * Math.PI) / 180),
});

describe('a target', () => {
  it('is answered at its dot, however strictly', () => {
    fc.assert(
      fc.property(targets, fc.double({ min: 0, max: 0.3, noNaN: true }), (target, stricter) => {
        expect(isOnTarget(dotOf(target), target, stricter)).toBe(true);
      }),
    );
  });

  it('is answered up to the tolerance of its angle and within its amount, and not beyond', () => {
    fc.assert(
      fc.property(
        targets,
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: 0, max: 45, noNaN: true }),
        (target, off, turn) => {
          const at = towards(target.angle_deg + off, turn);
          const { least, most } = AMOUNTS[target.amount];
          fc.pre(
            Math.abs(Math.abs(off) - TOLERANCE_DEG) > 1e-6 &&
              [least, most].every((limit) => Math.abs(turn - limit) > 1e-6),
          );
          fc.pre(Math.abs(at.y + MAX_DOWN) > 1e-6);
          const isWithin = Math.abs(off) < TOLERANCE_DEG && turn > least && turn < most && at.y > -MAX_DOWN;
          expect(isOnTarget(at, target)).toBe(isWithin);
        },
      ),
    );
  });

  it('is never answered by what answers the other amount, nor by the other side', () => {
    fc.assert(
      fc.property(targets, (target) => {
        const amount = target.amount === 'near' ? 'far' : 'near';
        expect(isOnTarget(dotOf({ ...target, amount }), target)).toBe(false);
        expect(isOnTarget(dotOf({ ...target, angle_deg: (target.angle_deg + 180) % 360 }), target)).toBe(
          false,
        );
      }),
    );
  });

  it('measures angles the short way round', () => {
    expect(angleErrorDeg(towards(350, 10), { angle_deg: 10 })).toBeCloseTo(20, 6);
    expect(angleErrorDeg(towards(-170, 10), { angle_deg: 170 })).toBeCloseTo(20, 6);
    expect(angleErrorDeg(towards(90, 10), { angle_deg: 270 })).toBeCloseTo(180, 6);
  });
});
