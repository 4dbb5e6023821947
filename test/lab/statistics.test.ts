// The arithmetic of error rates against closed forms: normal scores, binomial intervals, counts by hand.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quantile } from '../../src/evaluation/liveness/statistics.ts';
import { accuracyOf, decideByFolds } from '../../src/lab/accuracy.ts';
import { bootstrapInterval, distinctPairs, drawPeople } from '../../src/lab/bootstrap.ts';
import {
  areaUnderCurve,
  equalErrorRate,
  errorCurve,
  matchRate,
  thresholdAtFmr,
} from '../../src/lab/error-rates.ts';
import { wilsonInterval, zeroCountInterval } from '../../src/lab/intervals.ts';
import { normalCdf, normalQuantile } from '../../src/lab/normal-distribution.ts';
import { seededRandom } from '../../src/lab/random.ts';
import { allStrangers, type ScoreSet, scoreSet } from '../../src/lab/score-set.ts';

const score = fc.integer({ min: -1000, max: 1000 }).map((thousandths) => thousandths / 1000);
const scores = fc.array(score, { minLength: 1, maxLength: 60 });
const setOf = (values: readonly number[], person = 0): ScoreSet =>
  scoreSet(values.map((value, i) => ({ score: value, first: person + i, second: person + i + 1 })));

/** Quantiles of a normal distribution: a sample without randomness. */
const normal = (mean: number, deviation: number, n: number) =>
  Array.from({ length: n }, (_, i) => mean + deviation * normalQuantile((i + 0.5) / n));

const numbers = (count: number) => [...new Array(count).keys()];

describe('rates', () => {
  test('the threshold at an FMR meets it, and the next lower one does not', () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 900 }), (values, perMille) => {
        const target = perMille / 1000;
        const set = setOf(values);
        const threshold = thresholdAtFmr(set, target);
        expect(matchRate(set, threshold)).toBeLessThanOrEqual(target * (1 + 1e-9));
        const below = set.scores.find((value) => value < threshold);
        if (below !== undefined) expect(matchRate(set, below)).toBeGreaterThan(target * (1 - 1e-9));
      }),
    );
  });

  test.each([1, 2, 3])('the EER of normal scores %d deviations apart is Φ(−d/2), the AUC Φ(d/√2)', (d) => {
    const genuine = setOf(normal(0.1 * d, 0.1, 4000));
    const impostors = setOf(normal(0, 0.1, 4000));
    expect(equalErrorRate(genuine, impostors)).toBeCloseTo(normalCdf(-d / 2), 3);
    expect(areaUnderCurve(genuine, impostors)).toBeCloseTo(normalCdf(d / Math.SQRT2), 3);
  });

  test('the AUC is the share of pairs in the right order, with ties counted half', () => {
    fc.assert(
      fc.property(scores, scores, (a, b) => {
        let wins = 0;
        for (const g of a) for (const i of b) wins += g > i ? 1 : g === i ? 0.5 : 0;
        expect(areaUnderCurve(setOf(a), setOf(b))).toBeCloseTo(wins / (a.length * b.length), 9);
      }),
    );
  });

  test('the EER lies between the two rates at every threshold', () => {
    fc.assert(
      fc.property(scores, scores, (a, b) => {
        const [genuine, impostors] = [setOf(a), setOf(b)];
        const eer = equalErrorRate(genuine, impostors);
        for (const threshold of [...a, ...b]) {
          const fmr = matchRate(impostors, threshold);
          const fnmr = 1 - matchRate(genuine, threshold);
          expect(eer).toBeLessThanOrEqual(Math.max(fmr, fnmr) + 1e-9);
          expect(eer).toBeGreaterThanOrEqual(Math.min(fmr, fnmr) - 1e-9);
        }
      }),
    );
  });

  test('perfect separation has EER 0, AUC 1 and a monotone curve', () => {
    const [genuine, impostors] = [setOf([0.9, 0.8, 0.7]), setOf([0.1, 0.2])];
    expect(equalErrorRate(genuine, impostors)).toBe(0);
    expect(areaUnderCurve(genuine, impostors)).toBe(1);
    const curve = errorCurve(genuine, impostors, 20);
    for (const [i, point] of curve.entries()) {
      expect(point.fmr).toBeGreaterThanOrEqual(curve[i - 1]?.fmr ?? 0);
      expect(point.fnmr).toBeLessThanOrEqual(curve[i - 1]?.fnmr ?? 1);
    }
  });

  test('gives no result for scores that were not kept', () => {
    const genuine = setOf([0.9, 0.5, 0.05]);
    const all = setOf([0.6, 0.3, 0.2, 0.1]);
    // The best two of the four. The rates meet at the third.
    const best = { ...setOf([0.6, 0.3]), count: 4 };
    expect(equalErrorRate(genuine, all)).toBeGreaterThan(0);
    expect(equalErrorRate(setOf([0.25, 0.15, 0.05]), best)).toBeNaN();
    expect(errorCurve(genuine, all, 20).at(-1)).toMatchObject({ fmr: 1, fnmr: 0 });
    for (const { threshold, fmr } of errorCurve(genuine, best, 20))
      expect(fmr).toBe(matchRate(all, threshold));
  });

  test('gives no rate below the kept scores', () => {
    const best = { ...setOf([0.75, 0.5]), count: 4 };
    expect(matchRate(best, 0.5)).toBe(0.5);
    expect(matchRate(best, 0.25)).toBeNaN();
  });

  test('without impostors there is no threshold, no rate at it and no curve', () => {
    const one = scoreSet([{ score: 0.4, first: 0, second: 1 }]);
    const genuine = setOf([0.9, 0.8], 1);
    // A bootstrap replicate that drew only person 1.
    const threshold = thresholdAtFmr(one, 0.1, Float64Array.of(0, 2));
    expect(threshold).toBeNaN();
    expect(matchRate(genuine, threshold)).toBeNaN();
    expect(thresholdAtFmr(scoreSet([]), 0.1)).toBeNaN();
    expect(errorCurve(genuine, scoreSet([]))).toEqual([]);
    expect(errorCurve(scoreSet([]), one)).toEqual([]);
  });

  test('people count as often as their weight says', () => {
    const set = scoreSet([
      { score: 0.9, first: 0, second: 1 },
      { score: 0.1, first: 1, second: 2 },
    ]);
    expect(matchRate(set, 0.5, Float64Array.of(2, 3, 1))).toBeCloseTo(6 / 9, 12);
    expect(matchRate(set, 0.5, Float64Array.of(0, 3, 1))).toBe(0);
  });
});

test('all strangers: every pair of different people counts once, with its weight in closed form', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { minLength: 2, maxLength: 20 }), (people) => {
      const samples = people.map((person, i) => ({
        person,
        vector: Float32Array.of(Math.cos(i), Math.sin(i)),
      }));
      const set = allStrangers(samples);
      const weights = Float64Array.of(2, 0, 1, 3, 1);
      let count = 0;
      let weight = 0;
      for (const [i, a] of people.entries())
        for (const b of people.slice(0, i))
          if (a !== b) {
            count++;
            weight += weights[a]! * weights[b]!;
          }
      expect([set.count, set.scores.length]).toEqual([count, count]);
      expect(set.weightOf(weights)).toBeCloseTo(weight, 9);
    }),
  );
});

test('counts each pair of people once over all strangers, kept or not', () => {
  const people = fc.array(fc.nat(6), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(people, fc.option(people), (rows, columns) => {
      const samplesOf = (of: readonly number[]) =>
        of.map((person) => ({ person, vector: Float32Array.of(1, 0) }));
      const set = allStrangers(samplesOf(rows), columns ? samplesOf(columns) : undefined);
      expect(set.pairsOfPeople()).toBe(distinctPairs(set.first, set.second));
    }),
  );
});

test('accuracy: separable trials are all decided correctly, in any fold', () => {
  const trials = Array.from({ length: 40 }, (_, i) => ({
    score: i % 2 ? 0.8 + i / 1000 : 0.1 + i / 1000,
    same: i % 2 === 1,
    first: i % 13,
    second: i % 2 ? i % 13 : (i + 1) % 13,
  }));
  const right = decideByFolds(trials);
  expect(accuracyOf(trials, right)).toBe(1);
  const swapped = trials.map((trial, i) => (i === 7 ? { ...trial, same: false } : trial));
  expect(accuracyOf(swapped, decideByFolds(swapped))).toBeCloseTo(39 / 40, 12);
});

describe('intervals', () => {
  // Values from R's prop.test(correct = FALSE) and binom.test.
  test.each([
    [0, 10, 0, 0.2775],
    [5, 10, 0.2366, 0.7634],
    [1, 100, 0.0018, 0.0545],
  ])('Wilson of %i among %i', (count, n, low, high) => {
    expect(wilsonInterval(count, n)[0]).toBeCloseTo(low, 4);
    expect(wilsonInterval(count, n)[1]).toBeCloseTo(high, 4);
  });

  test('Clopper–Pearson of none among n', () => {
    expect(zeroCountInterval(10)[1]).toBeCloseTo(0.3085, 4);
    expect(zeroCountInterval(100)[1]).toBeCloseTo(0.0362, 4);
    expect(zeroCountInterval(0)).toEqual([0, 1]);
  });

  test('the bootstrap interval of a rate among independent people is close to the binomial one', () => {
    const people = 400;
    const genuine = scoreSet(
      Array.from({ length: people }, (_, i) => ({ score: i % 10 === 0 ? 0.1 : 0.9, first: i, second: i })),
    );
    const missed = (weights?: Float64Array) => 1 - matchRate(genuine, 0.5, weights);
    const [low, high] = bootstrapInterval(drawPeople(numbers(people)), missed(), missed, people);
    // 0.1 ± 1.96 √(0.1 · 0.9 / 400)
    expect(Math.abs(low - 0.0706)).toBeLessThan(0.008);
    expect(Math.abs(high - 0.1294)).toBeLessThan(0.008);
  });

  test('dependent people widen the interval, and no observed error is not certainty', () => {
    const clustered = scoreSet(
      Array.from({ length: 400 }, (_, i) => {
        const person = Math.floor(i / 20);
        return { score: person % 10 === 0 ? 0.1 : 0.9, first: person, second: person };
      }),
    );
    const missed = (weights?: Float64Array) => 1 - matchRate(clustered, 0.5, weights);
    const [low, high] = bootstrapInterval(drawPeople(numbers(20)), missed(), missed, 20);
    expect(high - low).toBeGreaterThan(0.15);
    const none = bootstrapInterval(drawPeople(numbers(20)), 0, () => 0, 20);
    expect(none).toEqual([0, zeroCountInterval(20)[1]]);
  });

  test('draws have as many people as the sample, and are repeatable', () => {
    const draws = drawPeople(numbers(7), 5);
    for (const draw of draws) expect(draw.reduce((sum, times) => sum + times, 0)).toBe(7);
    expect(drawPeople(numbers(7), 5)).toEqual(draws);
  });

  test('distinct pairs do not depend on the order', () => {
    expect(distinctPairs(Uint32Array.of(1, 2, 1), Uint32Array.of(2, 1, 1))).toBe(2);
  });
});

test('quantiles are linear between ranks', () => {
  expect(quantile([0, 10], 0.25)).toBe(2.5);
  expect(quantile([3], 0.9)).toBe(3);
  expect(quantile([], 0.5)).toBeNaN();
});

test('the normal quantile inverts the normal distribution', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-7, max: 1 - 1e-7, noNaN: true }), (p) => {
      expect(normalCdf(normalQuantile(p)) / p).toBeCloseTo(1, 5);
    }),
  );
  expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 5);
});

test('random numbers are uniform enough and seeded', () => {
  const random = seededRandom(3);
  const values = Array.from({ length: 4000 }, random);
  expect(values.reduce((sum, value) => sum + value, 0) / 4000).toBeCloseTo(0.5, 1);
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...values)).toBeLessThan(1);
  const again = seededRandom(3);
  expect(values.slice(0, 5)).toEqual(Array.from({ length: 5 }, again));
});
