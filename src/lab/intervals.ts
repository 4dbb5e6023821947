// Confidence intervals of error rates. Pure; shared by all measurements in this folder.
import { quantile } from '../evaluation/liveness/statistics.ts';

/** Low and high end at 95 %. */
export type Interval = readonly [low: number, high: number];

/** Two-sided 95 %. */
const Z = 1.959963984540054;
const ALPHA = 0.05;

/** Wilson score interval of `count` in `n` independent trials (Wilson 1927); [0, 1] without trials. */
export function wilsonInterval(count: number, n: number): Interval {
  if (n === 0) return [0, 1];
  const rate = count / n;
  const denominator = 1 + (Z * Z) / n;
  const centre = (rate + (Z * Z) / (2 * n)) / denominator;
  const half = (Z * Math.sqrt((rate * (1 - rate)) / n + (Z * Z) / (4 * n * n))) / denominator;
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** Clopper–Pearson interval for zero events in `n` independent trials, in closed form. */
export function zeroCountInterval(n: number): Interval {
  return n === 0 ? [0, 1] : [0, 1 - (ALPHA / 2) ** (1 / n)];
}

/** The middle 95 % of bootstrap replicates (percentile interval, linear between ranks); `values` need not be sorted. */
export function percentileInterval(values: readonly number[]): Interval {
  const known = values.filter((value) => !Number.isNaN(value));
  return [quantile(known, ALPHA / 2), quantile(known, 1 - ALPHA / 2)];
}
