// Scores are monotone, with 0.5 at the operating point; averages have unit norm.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareEmbeddings, comparisonScore } from '../../../src/evaluation/recognition/compare.ts';
import { averageEmbeddings } from '../../../src/evaluation/recognition/embed.ts';
import { bothWays, thresholdFor } from '../../../src/evaluation/recognition/thresholds.ts';
import { cosineSimilarity, normalise } from '../../../src/evaluation/recognition/vector.ts';

const calibration = {
  scoreSlope: 12,
  thresholds: bothWays([
    { probeFrames: 1, referenceFrames: 1, cosine: 0.6 },
    { probeFrames: 1, referenceFrames: 5, cosine: 0.62 },
    { probeFrames: 5, referenceFrames: 5, cosine: 0.66 },
  ]),
};
const cosine = fc.double({ min: -1, max: 1, noNaN: true });

describe('comparisonScore', () => {
  test('is a half at the threshold', () => {
    expect(comparisonScore(0.6, 0.6, 12)).toBeCloseTo(0.5, 12);
  });

  test('stays within 0 and 1 and grows with the cosine', () => {
    fc.assert(
      fc.property(cosine, cosine, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const scores = [comparisonScore(low, 0.6, 12), comparisonScore(high, 0.6, 12)];
        expect(scores[0]).toBeGreaterThan(0);
        expect(scores[1]).toBeLessThan(1);
        expect(scores[1]).toBeGreaterThanOrEqual(scores[0]!);
      }),
    );
  });
});

describe('the threshold for the frames of both sides', () => {
  const at = (probe: number | null, reference: number | null) => thresholdFor(calibration, probe, reference);

  test('is the calibrated one, whichever side is the probe', () => {
    expect([at(1, 1), at(1, 5), at(5, 1), at(5, 5)]).toEqual([0.6, 0.62, 0.62, 0.66]);
  });

  test('is interpolated between calibrated numbers of frames, and the nearest one beyond them', () => {
    expect(at(1, 3)).toBeCloseTo(0.61, 12);
    expect(at(3, 1)).toBeCloseTo(0.61, 12);
    expect(at(3, 3)).toBeCloseTo(0.625, 12);
    expect([at(9, 9), at(1, 64)]).toEqual([0.66, 0.62]);
  });

  test('is the highest possible where a number of frames is unknown', () => {
    expect([at(1, null), at(5, null), at(null, null)]).toEqual([0.62, 0.66, 0.66]);
  });

  test('stays within the calibrated range, and is monotone where the calibrated thresholds are', () => {
    const frames = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(frames, frames, frames, (probe, reference, more) => {
        const cosine = at(probe, reference);
        expect(cosine).toBeGreaterThanOrEqual(0.6);
        expect(at(probe + more, reference)).toBeGreaterThanOrEqual(cosine);
        expect(at(reference, probe)).toBeCloseTo(cosine, 12);
      }),
    );
  });

  test('decides a comparison', () => {
    const [a, b] = [Float32Array.of(1, 0), Float32Array.of(0.63, Math.sqrt(1 - 0.63 ** 2))];
    const compared = (probe: number, reference: number | null) =>
      compareEmbeddings({ embedding: a, frames: probe }, { embedding: b, frames: reference }, calibration)
        .match;
    expect([compared(1, 5), compared(5, 5), compared(1, null), compared(5, null)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

test('a face matches itself and not its opposite', () => {
  const face = normalise(Float32Array.of(3, -1, 2));
  const opposite = face.map((value) => -value);
  const of = (embedding: Float32Array) => ({ embedding, frames: 1 });
  expect(compareEmbeddings(of(face), of(face), calibration)).toMatchObject({ match: true });
  expect(compareEmbeddings(of(face), of(opposite), calibration)).toMatchObject({ match: false });
});

test('refuses to compare embeddings of different lengths', () => {
  expect(() => cosineSimilarity(new Float32Array(192), new Float32Array(128))).toThrow(RangeError);
});

test('an int8 reference has the cosine of its values at unit norm, whatever the lengths', () => {
  const int8 = fc.integer({ min: -127, max: 127 });
  fc.assert(
    fc.property(fc.array(fc.tuple(int8, int8), { minLength: 1, maxLength: 70 }), (pairs) => {
      const probe = normalise(Float32Array.from(pairs, ([value]) => value));
      const quantised = Int8Array.from(pairs, ([, value]) => value);
      fc.pre(quantised.some((value) => value !== 0));
      // The definition, term by term.
      const norm = Math.sqrt(pairs.reduce((sum, [, value]) => sum + value * value, 0));
      const expected = pairs.reduce((sum, [, value], at) => sum + (probe[at]! * value) / norm, 0);
      expect(cosineSimilarity(probe, quantised)).toBeCloseTo(expected, 5);
      const restored = normalise(Float32Array.from(quantised));
      expect(cosineSimilarity(probe, restored)).toBeCloseTo(expected, 5);
    }),
  );
});

test('an average has unit norm and lies in between', () => {
  const a = Float32Array.of(1, 0);
  const b = Float32Array.of(0, 1);
  const mean = averageEmbeddings([a, b]);
  expect(cosineSimilarity(mean, mean)).toBeCloseTo(1, 6);
  expect(cosineSimilarity(mean, a)).toBeCloseTo(Math.SQRT1_2, 6);
  expect(() => averageEmbeddings([])).toThrow(RangeError);
});

test('a zero vector matches nothing', () => {
  expect(cosineSimilarity(normalise(new Float32Array(3)), Float32Array.of(1, 0, 0))).toBe(0);
});
