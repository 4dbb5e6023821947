// Scores of a group → the rates of `bench recognition`, each with its 95 % interval.
import { accuracyOf, decideByFolds } from '../accuracy.ts';
import { bootstrapInterval, distinctPairs, drawPeople } from '../bootstrap.ts';
import { equalErrorRate, matchRate, thresholdAtFmr } from '../error-rates.ts';
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
    /** Null without impostors. */
    readonly threshold: number | null;
    readonly fnmr: Rate | null;
  }[];
  readonly atOperatingPoint: { readonly fmr: Rate | null; readonly fnmr: Rate | null };
}

/** Least cosine that matches, by the frames of either side. */
export type ThresholdOf = (probeFrames: number, referenceFrames: number) => number;

export const REPORTED_FMRS = [1e-2, 1e-3, 1e-4] as const;

/** Statistics of large sets are drawn fewer times: their intervals are narrow, their sums long. */
const LARGE = 2_000_000;
const FEW_REPLICATES = 100;

/** Rates of one group; `threshold` is the operating point's, for the frames a side that most of its pairs have. */
export function ratesOf(group: Group, threshold: ThresholdOf): GroupRates {
  const { genuine, impostor, pairs } = group;
  const draws = drawsOf(group);
  const trials = genuine.pairsOfPeople();
  const both = genuine.count > 0 && impostor.count > 0;
  const right = decideByFolds(pairs);
  // Of the listed pairs alone: strangers beyond them are not decided here.
  const listed = distinctPairs(
    Uint32Array.from(pairs, ({ first }) => first),
    Uint32Array.from(pairs, ({ second }) => second),
  );
  return {
    accuracy: both ? rateOf(draws, (w) => accuracyOf(pairs, right, w), listed) : null,
    eer: both ? rateOf(draws, (w) => equalErrorRate(genuine, impostor, w), trials) : null,
    fnmrAtFmr: REPORTED_FMRS.map((fmr) => ({
      fmr,
      threshold: impostor.count > 0 ? thresholdAtFmr(impostor, fmr) : null,
      fnmr: both
        ? rateOf(draws, (w) => 1 - matchRate(genuine, thresholdAtFmr(impostor, fmr, w), w), trials)
        : null,
    })),
    atOperatingPoint: ratesAt(group, threshold(...usualFrames(group)), draws),
  };
}

/** Rates of one group at one threshold; null where they are not known, as below the impostors' scores that were kept. */
export function ratesAt(
  { genuine, impostor }: Group,
  threshold: number,
  draws: readonly Float64Array[],
): GroupRates['atOperatingPoint'] {
  const known = (set: ScoreSet, statistic: (weights?: Float64Array) => number) => {
    const rate = set.count > 0 ? rateOf(draws, statistic, set.pairsOfPeople()) : null;
    return rate && Number.isNaN(rate.value) ? null : rate;
  };
  return {
    fmr: known(impostor, (w) => matchRate(impostor, threshold, w)),
    fnmr: known(genuine, (w) => 1 - matchRate(genuine, threshold, w)),
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

/** The frames of probe and reference that most pairs of a group have. */
export function usualFrames({ pairs }: Pick<Group, 'pairs'>): [probe: number, reference: number] {
  const counts = new Map<string, { frames: [number, number]; pairs: number }>();
  for (const { probeFrames, referenceFrames } of pairs) {
    const key = `${probeFrames} ${referenceFrames}`;
    const known = counts.get(key) ?? { frames: [probeFrames, referenceFrames], pairs: 0 };
    counts.set(key, { ...known, pairs: known.pairs + 1 });
  }
  return [...counts.values()].sort((a, b) => b.pairs - a.pairs)[0]?.frames ?? [1, 1];
}
