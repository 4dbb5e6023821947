// Computes the rates of `bench recognition` from the scores of a group, each with its 95 % interval.
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

/** The rates of one group; null where there are no genuine or no impostor pairs. */
export interface GroupRates {
  readonly accuracy: Rate | null;
  readonly eer: Rate | null;
  /** By target FMR, at the threshold that these impostors require. */
  readonly fnmrAtFmr: readonly {
    readonly fmr: number;
    /** Null without impostors. */
    readonly threshold: number | null;
    readonly fnmr: Rate | null;
  }[];
  readonly atOperatingPoint: { readonly fmr: Rate | null; readonly fnmr: Rate | null };
}

/** Lowest cosine that matches, by the frames of each side. */
export type ThresholdOf = (probeFrames: number, referenceFrames: number) => number;

export const REPORTED_FMRS = [1e-2, 1e-3, 1e-4] as const;

/** Large sets get fewer replicates, because their intervals are narrow and their statistics slow to compute. */
const LARGE = 2_000_000;
const FEW_REPLICATES = 100;

/** Rates of one group; `threshold` is the operating point's, read at the group's most common numbers of frames. */
export function ratesOf(group: Group, threshold: ThresholdOf): GroupRates {
  const { genuine, impostor, pairs } = group;
  const draws = drawsOf(group);
  const trials = genuine.pairsOfPeople();
  const both = genuine.count > 0 && impostor.count > 0;
  const right = decideByFolds(pairs);
  // Only the listed pairs count, because accuracy does not cover the strangers beyond them.
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

/** Rates of one group at one threshold; null if unknown, such as below the impostors' scores that were kept. */
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

/** Bootstrap draws of a group's people; fewer for a large group. */
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

/** The most common combination of probe and reference frames among a group's pairs. */
export function usualFrames({ pairs }: Pick<Group, 'pairs'>): [probe: number, reference: number] {
  const counts = new Map<string, { frames: [number, number]; pairs: number }>();
  for (const { probeFrames, referenceFrames } of pairs) {
    const key = `${probeFrames} ${referenceFrames}`;
    const known = counts.get(key) ?? { frames: [probeFrames, referenceFrames], pairs: 0 };
    counts.set(key, { ...known, pairs: known.pairs + 1 });
  }
  return [...counts.values()].sort((a, b) => b.pairs - a.pairs)[0]?.frames ?? [1, 1];
}
