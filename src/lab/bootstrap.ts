// Bootstrap over people. Comparisons of one person are correlated, so it resamples people, not comparisons.
import { type Interval, percentileInterval, zeroCountInterval } from './intervals.ts';
import { seededRandom } from './random.ts';

const REPLICATES = 400;

/**
 * How often each person (an index) was drawn in each replicate. Every statistic of a measurement uses the same draws.
 */
export function drawPeople(people: readonly number[], replicates = REPLICATES, seed = 1): Float64Array[] {
  const random = seededRandom(seed);
  const size = people.reduce((most, person) => Math.max(most, person), 0) + 1;
  return Array.from({ length: replicates }, () => {
    const weights = new Float64Array(size);
    for (let i = 0; i < people.length; i++) weights[people[Math.floor(random() * people.length)]!]!++;
    return weights;
  });
}

/**
 * 95 % interval of a rate. If the rate is 0 or 1, all replicates agree; the interval then is at least as wide as the
 * Clopper–Pearson interval for as many independent trials as there are people (genuine) or pairs of people (impostor).
 */
export function bootstrapInterval(
  draws: readonly Float64Array[],
  rate: number,
  statistic: (weights: Float64Array) => number,
  independentTrials: number,
): Interval {
  const [low, high] = percentileInterval(draws.map(statistic));
  const [, most] = zeroCountInterval(independentTrials);
  if (rate === 0) return [0, Math.max(high, most)];
  if (rate === 1) return [Math.min(low, 1 - most), 1];
  return [Math.min(low, rate), Math.max(high, rate)];
}

/**
 * Number of distinct pairs of people among comparisons (distinct people, for genuine ones); these count as independent.
 */
export function distinctPairs(first: Uint32Array, second: Uint32Array): number {
  const seen = new Set<number>();
  for (let i = 0; i < first.length; i++) {
    const [a, b] = [first[i]!, second[i]!];
    seen.add(Math.min(a, b) * 2 ** 26 + Math.max(a, b));
  }
  return seen.size;
}
