import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayRenew, renewedReference } from '../../../src/evaluation/recognition/renewal.ts';
import { cosineSimilarity, normalise } from '../../../src/evaluation/recognition/vector.ts';
import { unitVector } from '../../featid/face-templates.ts';

const THRESHOLD = 0.7;
const KEPT = 4;
const at = { renewalThresholds: [{ probeFrames: 5, referenceFrames: 5, cosine: THRESHOLD }] };
const SIZE = 64;

const reference = (embedding: Float32Array, renewals: readonly Float32Array[] = []) => ({
  ...{ packId: 'any', regions: {}, embedding, frames: 5 },
  renewals: renewals.map((each) => ({ embedding: each, frames: 5 })),
});
const probe = (embedding: Float32Array) => ({ embedding, frames: 5 });

/** The point at `share` of the way from one face to another. */
function between(from: Float32Array, to: Float32Array, share: number): Float32Array {
  return normalise(from.map((value, i) => (1 - share) * value + share * to[i]!));
}

/** Two unrelated faces. */
const faces = fc
  .tuple(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }))
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => {
    const own = unitVector(SIZE, a);
    const other = unitVector(SIZE, b + 1_000_003);
    const cosine = cosineSimilarity(own, other);
    return [own, normalise(other.map((value, i) => value - cosine * own[i]!))] as const;
  });

describe('the guard of a renewal', () => {
  it('lets no sequence of small steps end beyond the threshold of the enrolment', () => {
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(faces, shares, ([own, other], walk) => {
        let renewals: Float32Array[] = [];
        for (const share of walk.toSorted((a, b) => a - b)) {
          const capture = between(own, other, share);
          if (!mayRenew(probe(capture), reference(own, renewals), at)) continue;
          expect(cosineSimilarity(capture, own)).toBeGreaterThanOrEqual(THRESHOLD);
          renewals = [...renewals, capture].slice(-KEPT);
        }
        const whole = renewedReference(reference(own, renewals)).embedding as Float32Array;
        // The enrolment has half of the weight, so the mean is no further from it than the captures are.
        expect(cosineSimilarity(whole, own)).toBeGreaterThanOrEqual(THRESHOLD);
      }),
    );
  });

  it('refuses a capture that matches the enrolment but not the current reference, and vice versa', () => {
    fc.assert(
      fc.property(faces, ([own, other]) => {
        const near = between(own, other, 0.48);
        const far = between(own, normalise(other.map((value) => -value)), 0.48);
        const towards = reference(own, [far, far, far, far]);
        expect(mayRenew(probe(near), reference(own), at)).toBe(true);
        expect(mayRenew(probe(near), towards, at)).toBe(false);
        const there = between(own, other, 0.95);
        expect(mayRenew(probe(there), reference(own, [there, there, there, there]), at)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('uses the strictest threshold where the number of frames of one side is unknown', () => {
    const own = unitVector(SIZE, 5);
    const thresholds = [
      { probeFrames: 5, referenceFrames: 1, cosine: 0.99 },
      { probeFrames: 5, referenceFrames: 5, cosine: 0.5 },
    ];
    const capture = between(own, unitVector(SIZE, 9), 0.3);
    const unknown = { ...reference(own), frames: null };
    expect(mayRenew(probe(capture), reference(own), { renewalThresholds: thresholds })).toBe(true);
    expect(mayRenew(probe(capture), unknown, { renewalThresholds: thresholds })).toBe(false);
  });
});

describe('a renewed reference', () => {
  it('is the enrolment if there are no renewals', () => {
    const plain = { packId: 'any', regions: {}, embedding: unitVector(SIZE, 3), frames: 5 };
    expect(renewedReference(plain)).toBe(plain);
    expect(renewedReference({ ...plain, renewals: [] }).embedding).toBe(plain.embedding);
  });

  it('is half enrolment and half captures, of unit norm, however they are scaled', () => {
    fc.assert(
      fc.property(faces, fc.integer({ min: 1, max: KEPT }), ([own, other], count) => {
        const quantised = Int8Array.from(own, (value) => Math.round(value * 127));
        const captures = Array.from({ length: count }, () => other);
        const whole = renewedReference(reference(own, captures));
        expect(Math.hypot(...whole.embedding)).toBeCloseTo(1, 5);
        const expected = between(own, other, 0.5);
        expect(cosineSimilarity(expected, whole.embedding)).toBeCloseTo(1, 5);
        const packed = renewedReference({ ...reference(own, captures), embedding: quantised });
        expect(cosineSimilarity(expected, packed.embedding)).toBeGreaterThan(0.99);
        expect(whole.frames).toBe(5 * (count + 1));
      }),
    );
  });

  it('has an unknown number of frames if one of its parts does', () => {
    const own = unitVector(SIZE, 3);
    const renewals = [{ embedding: own, frames: null }];
    expect(renewedReference({ ...reference(own), renewals }).frames).toBeNull();
  });
});
