// Scores are monotone with 0.5 at the operating point; averages have unit norm.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareEmbeddings, comparisonScore } from '../../../src/evaluation/recognition/compare.ts';
import { averageEmbeddings } from '../../../src/evaluation/recognition/embed.ts';
import { cosineSimilarity, normalise } from '../../../src/evaluation/recognition/vector.ts';

const calibration = {
  scoreSlope: 12,
  thresholds: [
    { probeFrames: 1, cosine: 0.6 },
    { probeFrames: 5, cosine: 0.65 },
  ],
};
const cosine = fc.double({ min: -1, max: 1, noNaN: true });

describe('comparisonScore', () => {
  test('is a half at the threshold of the number of frames used', () => {
    expect(comparisonScore(0.6, calibration)).toBeCloseTo(0.5, 12);
    expect(comparisonScore(0.6, calibration, 4)).toBeCloseTo(0.5, 12);
    expect(comparisonScore(0.65, calibration, 5)).toBeCloseTo(0.5, 12);
    expect(comparisonScore(0.65, calibration, 9)).toBeCloseTo(0.5, 12);
  });

  test('stays within 0 and 1 and grows with the cosine', () => {
    fc.assert(
      fc.property(cosine, cosine, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const scores = [comparisonScore(low, calibration), comparisonScore(high, calibration)];
        expect(scores[0]).toBeGreaterThan(0);
        expect(scores[1]).toBeLessThan(1);
        expect(scores[1]).toBeGreaterThanOrEqual(scores[0]!);
      }),
    );
  });
});

test('a face matches itself and not its opposite', () => {
  const face = normalise(Float32Array.of(3, -1, 2));
  const opposite = face.map((value) => -value);
  expect(compareEmbeddings(face, face, calibration)).toMatchObject({ match: true });
  expect(compareEmbeddings(face, opposite, calibration)).toMatchObject({ match: false });
});

test('embeddings of different length are not compared', () => {
  expect(() => cosineSimilarity(new Float32Array(192), new Float32Array(128))).toThrow(RangeError);
});

test('a reference in int8 has the cosine of its values at unit norm, whatever the lengths', () => {
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

test('an average has unit norm and lies between', () => {
  const a = Float32Array.of(1, 0);
  const b = Float32Array.of(0, 1);
  const mean = averageEmbeddings([a, b]);
  expect(cosineSimilarity(mean, mean)).toBeCloseTo(1, 6);
  expect(cosineSimilarity(mean, a)).toBeCloseTo(Math.SQRT1_2, 6);
  expect(() => averageEmbeddings([])).toThrow(RangeError);
});

test('a zero vector is like nothing', () => {
  expect(cosineSimilarity(normalise(new Float32Array(3)), Float32Array.of(1, 0, 0))).toBe(0);
});
