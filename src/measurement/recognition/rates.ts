// Scores of a group → the rates of `bench recognition`, each with its 95 % interval.
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import { accuracyOf, decideByFolds } from '../accuracy.ts';
import { bootstrapInterval, distinctPairs, drawPeople } from '../bootstrap.ts';
import { areaUnderCurve, equalErrorRate, matchRate, thresholdAtFmr } from '../error-rates.ts';
import type { Interval } from '../intervals.ts';
import type { ScoreSet } from '../score-set.ts';
import type { Group } from './compared.ts';

export interface Rate {
  readonly value: number;
  readonly interval: Interval;
}

/** Null where a side has no pair. */
export interface GroupRates {
  readonly accuracy: Rate | null;
  readonly eer: Rate | null;
  /** By target FMR, at the threshold that these impostors ask for. */
  readonly fnmrAtFmr: readonly {
    readonly fmr: number;
    readonly threshold: number;
    readonly fnmr: Rate | null;
  }[];
  readonly atOperatingPoint: { readonly fmr: Rate | null; readonly fnmr: Rate | null };
}

export const REPORTED_FMRS = [1e-2, 1e-3, 1e-4] as const;

/** Statistics of large sets are drawn fewer times: their intervals are narrow, their sums long. */
const LARGE = 2_000_000;
const FEW_REPLICATES = 100;

/** Rates of one group; `threshold` is the operating point's, by number of probe frames (of most of its pairs). */
export function ratesOf(group: Group, threshold: (probeFrames: number) => number): GroupRates {
  const { genuine, impostor, pairs } = group;
  const draws = drawsOf(group);
  const trials = distinctPairs(genuine.first, genuine.second);
  const both = genuine.count > 0 && impostor.count > 0;
  const right = decideByFolds(pairs);
  const listed = trials + distinctPairs(impostor.first, impostor.second);
  return {
    accuracy: both ? rateOf(draws, (w) => accuracyOf(pairs, right, w), listed) : null,
    eer: both ? rateOf(draws, (w) => equalErrorRate(genuine, impostor, w), trials) : null,
    fnmrAtFmr: REPORTED_FMRS.map((fmr) => ({
      fmr,
      threshold: thresholdAtFmr(impostor, fmr),
      fnmr: both
        ? rateOf(draws, (w) => 1 - matchRate(genuine, thresholdAtFmr(impostor, fmr, w), w), trials)
        : null,
    })),
    atOperatingPoint: ratesAt(group, threshold(usualFrames(group)), draws),
  };
}

/** Rates of one group at one threshold. */
export function ratesAt(
  { genuine, impostor }: Group,
  threshold: number,
  draws: readonly Float64Array[],
): GroupRates['atOperatingPoint'] {
  const trials = (set: ScoreSet) => distinctPairs(set.first, set.second);
  return {
    fmr:
      impostor.count > 0 ? rateOf(draws, (w) => matchRate(impostor, threshold, w), trials(impostor)) : null,
    fnmr:
      genuine.count > 0 ? rateOf(draws, (w) => 1 - matchRate(genuine, threshold, w), trials(genuine)) : null,
  };
}

/** The draws of a group's people: fewer for a large one. */
export function drawsOf({ people, impostor }: Group): Float64Array[] {
  return drawPeople(people, impostor.count > LARGE ? FEW_REPLICATES : undefined);
}

function rateOf(
  draws: readonly Float64Array[],
  statistic: (weights?: Float64Array) => number,
  independentTrials: number,
): Rate {
  const value = statistic();
  return { value, interval: bootstrapInterval(draws, value, statistic, independentTrials) };
}

/** The number of probe frames that most pairs of a group have. */
export function usualFrames({ pairs }: Group): number {
  const counts = new Map<number, number>();
  for (const { probeFrames } of pairs) counts.set(probeFrames, (counts.get(probeFrames) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 1;
}

/** Measures of one region. */
export interface RegionRates {
  readonly auc: Rate | null;
  readonly threshold: number | null;
  readonly genuinePassing: number | null;
  readonly genuine: number;
  readonly impostor: number;
}

/** Regions: AUC with its interval, and the threshold at an FMR. */
export function regionRatesOf(
  scores: Readonly<Record<RegionName, { genuine: ScoreSet; impostor: ScoreSet }>>,
  fmr: number,
  people: readonly number[],
): Record<RegionName, RegionRates> {
  const draws = drawPeople(people, FEW_REPLICATES);
  const results = {} as Record<RegionName, RegionRates>;
  for (const name of REGION_NAMES) {
    const { genuine, impostor } = scores[name];
    const present = genuine.count > 0 && impostor.count > 0;
    const auc = (weights?: Float64Array) => areaUnderCurve(genuine, impostor, weights);
    const value = present ? auc() : Number.NaN;
    const threshold = impostor.count > 0 ? thresholdAtFmr(impostor, fmr) : null;
    results[name] = {
      auc: present
        ? {
            value,
            interval: bootstrapInterval(draws, value, auc, distinctPairs(genuine.first, genuine.second)),
          }
        : null,
      threshold,
      genuinePassing: threshold !== null && genuine.count > 0 ? matchRate(genuine, threshold) : null,
      genuine: genuine.count,
      impostor: impostor.count,
    };
  }
  return results;
}
