// Groups of compared pairs → the calibration file: which threshold keeps which FMR, for the hardest group too.
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import type { PackCalibration } from '../../models/packs/calibration.ts';
import { distinctPairs } from '../bootstrap.ts';
import { thresholdAtFmr } from '../error-rates.ts';
import type { Interval } from '../intervals.ts';
import { type ScoredPair, type ScoreSet, scoreSet } from '../score-set.ts';
import { normalQuantile } from '../tail.ts';
import type { Group } from './compared.ts';
import { drawsOf, ratesAt } from './rates.ts';

/** Pairs of one group with one number of probe frames. */
export interface CalibrationGroup {
  readonly group: Group;
  readonly probeFrames: number;
}

export interface CalibrationInput {
  readonly pack: string;
  readonly population: string;
  readonly madeBy: string;
  readonly madeAt: Date;
  readonly groups: readonly CalibrationGroup[];
  /** No group's FMR may exceed the target by more than this factor. */
  readonly worstGroupFactor: number;
  readonly regions: {
    readonly targetFmr: number;
    readonly impostor: number;
    readonly thresholds: Readonly<Partial<Record<RegionName, number>>>;
  };
}

export const CALIBRATED_FMRS = [1e-2, 1e-3, 1e-4, 1e-5] as const;
/** The slope only spreads the score: genuine pairs of LFW (median cosine .77) then score about .85. */
const SCORE_SLOPE = 12;
/** A rate is counted if at least this many impostors are above the threshold; below that the tail is extrapolated. */
const MIN_COUNTED = 10;
/** Fewer impostor pairs say nothing of a rate. */
const MIN_IMPOSTORS = 100;
/** A group of fewer people is reported, not fitted to: of NUAA's seven one pair of look-alikes would set everything. */
const MIN_GROUP_PEOPLE = 10;
const BIN_WIDTH = 0.02;

/**
 * Fits the thresholds. Per number of probe frames and target FMR the threshold is the highest that is asked for by
 * all impostor pairs together at the target, and by each group at the target times `worstGroupFactor`: an average over
 * people hides those whom a recogniser confuses most.
 *
 * Numbers of probe frames with fewer than 100 impostor pairs are left out. Null without any left, or without a threshold
 * for every region.
 */
export function calibrate(input: CalibrationInput): PackCalibration | null {
  const { worstGroupFactor, regions } = input;
  const impostors = (probeFrames: number) =>
    input.groups.reduce(
      (sum, each) => sum + (each.probeFrames === probeFrames ? each.group.impostor.count : 0),
      0,
    );
  // A frame that failed leaves a few captures with a number of frames of their own: too few to say anything.
  const groups = input.groups.filter(({ probeFrames }) => impostors(probeFrames) >= MIN_IMPOSTORS);
  if (groups.length === 0 || REGION_NAMES.some((name) => regions.thresholds[name] === undefined)) return null;
  const numbers = [...new Set(groups.map(({ probeFrames }) => probeFrames))].sort((a, b) => a - b);
  return {
    format: 1,
    pack: input.pack,
    population: input.population,
    made_at: input.madeAt.toISOString(),
    made_by: input.madeBy,
    worst_group_factor: worstGroupFactor,
    samples: groups.map(({ group, probeFrames }) => ({
      group: group.name,
      probe_frames: probeFrames,
      people: group.people.length,
      genuine: group.genuine.count,
      impostor: group.impostor.count,
    })),
    score_slope: SCORE_SLOPE,
    thresholds: numbers.map((probeFrames) => {
      const those = groups.filter((each) => each.probeFrames === probeFrames).map(({ group }) => group);
      return {
        probe_frames: probeFrames,
        points: CALIBRATED_FMRS.map((target) => fitPoint(those, target, worstGroupFactor)),
      };
    }),
    distributions: groups.map(({ group, probeFrames }) => ({
      group: group.name,
      probe_frames: probeFrames,
      bin_from: -1,
      bin_width: BIN_WIDTH,
      genuine: group.genuine.distribution(BIN_WIDTH),
      impostor: group.impostor.distribution(BIN_WIDTH),
    })),
    regions: {
      target_fmr: regions.targetFmr,
      impostor: regions.impostor,
      thresholds: Object.fromEntries(
        Object.entries(regions.thresholds).map(([name, cosine]) => [name, round(cosine, 3)]),
      ),
    },
  };
}

type Point = PackCalibration['thresholds'][number]['points'][number];

function fitPoint(groups: readonly Group[], target: number, factor: number): Point {
  const eased = Math.min(0.5, target * factor);
  const asked = [
    { by: 'all', ...tailThreshold(pool(groups.map((group) => group.impostor)), target) },
    ...groups
      .filter(({ impostor, people }) => impostor.count >= MIN_IMPOSTORS && people.length >= MIN_GROUP_PEOPLE)
      .map((group) => ({ by: group.name, ...tailThreshold(group.impostor, eased) })),
  ];
  const highest = asked.reduce((most, each) => (each.cosine > most.cosine ? each : most));
  const cosine = round(highest.cosine, 4);
  return {
    target_fmr: target,
    cosine,
    set_by: highest.by,
    extrapolated: highest.extrapolated,
    groups: groups.map((group) => {
      const { fmr, fnmr } = ratesAt(group, cosine, drawsOf(group));
      return {
        group: group.name,
        fmr: round(fmr?.value ?? 0, 6),
        fmr_interval: rounded(fmr?.interval ?? [0, 1]),
        fnmr: fnmr ? round(fnmr.value, 6) : null,
        fnmr_interval: fnmr ? rounded(fnmr.interval) : null,
      };
    }),
  };
}

interface Fitted {
  readonly cosine: number;
  readonly extrapolated: boolean;
}

/**
 * Threshold of an impostor set at an FMR: counted if enough pairs are above it, else the tail is extrapolated as a
 * normal one through its last two decades that can be counted (on LFW's 7 million pairs that errs to the safe side:
 * .537 for .530 at 1e-4 from 1e-2 and 1e-3).
 */
export function tailThreshold(impostor: ScoreSet, fmr: number): Fitted {
  const least = MIN_COUNTED / impostor.count;
  if (fmr >= least) return { cosine: thresholdAtFmr(impostor, fmr), extrapolated: false };
  const wider = Math.min(0.3, least * 10);
  const [low, high] = [thresholdAtFmr(impostor, wider), thresholdAtFmr(impostor, least)];
  return { cosine: alongNormalTail(wider, low, least, high, fmr), extrapolated: true };
}

/** Linear in the normal quantile of the rate, through two points. */
function alongNormalTail(
  rate1: number,
  cosine1: number,
  rate2: number,
  cosine2: number,
  fmr: number,
): number {
  const [z1, z2, z] = [rate1, rate2, fmr].map((rate) => -normalQuantile(rate)) as [number, number, number];
  return cosine1 + ((cosine2 - cosine1) * (z - z1)) / (z2 - z1);
}

/**
 * All these impostor sets as one, in which every two people count as much as any other two: otherwise a set of few
 * people with many frames each would outweigh one of thousands. Only as deep as every set is known.
 */
export function pool(sets: readonly ScoreSet[]): ScoreSet {
  const floor = Math.max(
    ...sets.map((set) =>
      set.scores.length < set.count ? (set.scores.at(-1) ?? 1) : Number.NEGATIVE_INFINITY,
    ),
  );
  const shares = sets.map((set) => distinctPairs(set.first, set.second) / set.count);
  const most = Math.max(...shares);
  // A comparison of a set with a lower share stands for less than one: every n-th is kept.
  const kept = sets.flatMap((set, at) => {
    const step = most / shares[at]!;
    const order: ScoredPair[] = [];
    for (let n = 0; Math.floor(n) < set.scores.length; n += step) {
      const i = Math.floor(n);
      order.push({ score: set.scores[i]!, first: set.first[i]!, second: set.second[i]! });
    }
    return order.filter(({ score }) => score >= floor);
  });
  const count = sets.reduce((sum, set, at) => sum + (set.count * shares[at]!) / most, 0);
  return { ...scoreSet(kept), count: Math.round(count) };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function rounded([low, high]: Interval): [number, number] {
  return [round(low, 6), round(high, 6)];
}
