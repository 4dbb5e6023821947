// Scores of a group → the rates of contract §10, each with its 95 % interval.
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
  const draws = drawPeople(group.people, impostor.count > LARGE ? FEW_REPLICATES : undefined);
  const genuineTrials = distinctPairs(genuine.first, genuine.second);
  const impostorTrials = distinctPairs(impostor.first, impostor.second);
  const rate = (
    present: boolean,
    statistic: (weights?: Float64Array) => number,
    trials: number,
  ): Rate | null => {
    if (!present) return null;
    const value = statistic();
    return { value, interval: bootstrapInterval(draws, value, statistic, trials) };
  };
  const both = genuine.count > 0 && impostor.count > 0;
  const right = decideByFolds(pairs);
  const missed = (at: number) => (weights?: Float64Array) => 1 - matchRate(genuine, at, weights);
  const operating = threshold(usualFrames(group));
  return {
    accuracy: rate(
      both && pairs.length > 0,
      (w) => accuracyOf(pairs, right, w),
      genuineTrials + impostorTrials,
    ),
    eer: rate(both, (w) => equalErrorRate(genuine, impostor, w), genuineTrials),
    fnmrAtFmr: REPORTED_FMRS.map((fmr) => ({
      fmr,
      threshold: thresholdAtFmr(impostor, fmr),
      fnmr: rate(both, (w) => missed(thresholdAtFmr(impostor, fmr, w))(w), genuineTrials),
    })),
    atOperatingPoint: {
      fmr: rate(impostor.count > 0, (w) => matchRate(impostor, operating, w), impostorTrials),
      fnmr: rate(genuine.count > 0, missed(operating), genuineTrials),
    },
  };
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
