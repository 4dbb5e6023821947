// Fits the threshold for one target FMR to groups of compared pairs, with and without the most confused pair of people.
import type { PackCalibration } from '../../models/packs/calibration.ts';
import { matchRate, thresholdAtFmr } from '../error-rates.ts';
import type { Interval } from '../intervals.ts';
import { normalQuantile } from '../normal-distribution.ts';
import { type ScoredPair, type ScoreSet, scoreSet } from '../score-set.ts';
import type { Group } from './compared.ts';
import { drawsOf, ratesAt } from './rates.ts';
import { worstPairOf } from './worst-pair.ts';

/** An FMR is counted if at least this many impostors are above the threshold; otherwise the tail is extrapolated. */
const MIN_COUNTED = 10;
/** The two rates through which the tail is extrapolated if there are too few impostors for lower ones. */
const [LEAST_RATE, WIDER_RATE] = [0.1, 0.3] as const;
/** Highest possible cosine. A tail that would extend beyond it requires that nobody match. */
const HIGHEST_COSINE = 1;
/** From a set of more than KEEP_ALL_BELOW pairs, only rates up to DEEPEST are needed; the rest is not sorted again. */
const [DEEPEST, KEEP_ALL_BELOW] = [0.03, 20_000] as const;
/** Fewer impostor pairs say nothing about a rate. */
export const MIN_IMPOSTORS = 100;
/** Pairs of people that a group needs besides its worst pair to require a threshold. Three people make three pairs. */
const MIN_OTHER_PAIRS = 2;
/**
 * The threshold without the worst pair still limits a group's FMR, that pair included, to this many times the target.
 * Chosen: at a target of 1e-4, a look-alike of one in a hundred may pass.
 */
const WITH_PAIR_FACTOR = 100;
/** A pair of people with less than this share of its group's false matches does not set a threshold. Chosen. */
const NOTABLE_SHARE = 0.1;
/** The threshold with the worst pair ships if it rejects at most this share of each group's genuine pairs. Chosen. */
const MAX_REJECTED = 0.01;

type CalibrationPoint = PackCalibration['thresholds'][number]['points'][number];

/** A threshold that some pairs require. */
interface Requirement {
  readonly by: string;
  readonly cosine: number;
  readonly extrapolated: boolean;
}

/**
 * The threshold is the highest of those that all impostor pairs together require at the target (each group weighted by
 * its pairs of people) and that each group requires at the target times `factor`, because an average over people hides
 * those whom a recogniser confuses most. It is computed twice, with and without each group's worst pair of people. The
 * one with the pair ships only if it rejects almost no genuine pairs; the other still limits what the worst pair can
 * cause.
 */
export function fitThreshold(
  groups: readonly Group[],
  pooled: ScoreSet,
  target: number,
  factor: number,
): CalibrationPoint {
  const relaxed = (times: number) => Math.min(0.5, target * times);
  const sufficient = groups.filter(({ impostor }) => hasEnoughPairs(impostor));
  const all = requirement('all', pooled, target);
  const strict = sufficient.map((group) => requirement(group.name, group.impostor, relaxed(factor)));
  const withPair = highest([all, ...strict]);
  const worst = sufficient.map((group, at) => notable(worstPairOf(group.impostor, strict[at]!.cosine)));
  const lenient = sufficient.flatMap((group, at) => {
    const rest = worst[at]?.rest() ?? group.impostor;
    return [
      requirement(group.name, rest, relaxed(factor)),
      requirement(group.name, group.impostor, relaxed(WITH_PAIR_FACTOR)),
    ];
  });
  const pooledLenient = worst.some(Boolean)
    ? pooledWithoutWorstPairs(groups, target, worst, sufficient)
    : all;
  const withoutPair = highest([pooledLenient, ...lenient]);
  const hardest = sufficient[strict.indexOf(withPair)]?.impostor ?? pooled;
  const differ = withPair.cosine - withoutPair.cosine > 5e-5;
  const strictShips = !differ || groups.every(({ genuine }) => rejectedAt(genuine, withPair) <= MAX_REJECTED);
  const chosen = strictShips ? withPair : withoutPair;
  const cosine = roundUp(chosen.cosine);
  return {
    target_fmr: target,
    cosine,
    set_by: chosen.by,
    extrapolated: chosen.extrapolated,
    worst_pair: differ
      ? {
          group: withPair.by,
          share: round(worstPairOf(hardest, withPair.cosine)?.share ?? 0, 3),
          cosine_with: roundUp(withPair.cosine),
          cosine_without: roundUp(withoutPair.cosine),
          ships: strictShips ? 'with' : 'without',
        }
      : null,
    groups: groups.map((group) => groupRates(group, cosine)),
  };
}

function hasEnoughPairs({ count, pairsOfPeople }: ScoreSet): boolean {
  return count >= MIN_IMPOSTORS && pairsOfPeople() > MIN_OTHER_PAIRS;
}

/** Null if the pair causes so few of the false matches that leaving it out would make no difference. */
function notable(worst: ReturnType<typeof worstPairOf>): ReturnType<typeof worstPairOf> {
  return worst && worst.share >= NOTABLE_SHARE ? worst : null;
}

function requirement(by: string, impostor: ScoreSet, fmr: number): Requirement {
  return { by, ...tailThreshold(impostor, fmr) };
}

function highest(required: readonly Requirement[]): Requirement {
  return required.reduce((most, each) => (each.cosine > most.cosine ? each : most));
}

function pooledWithoutWorstPairs(
  groups: readonly Group[],
  target: number,
  worst: readonly ReturnType<typeof worstPairOf>[],
  sufficient: readonly Group[],
): Requirement {
  const sets = groups.map((group) => worst[sufficient.indexOf(group)]?.rest() ?? group.impostor);
  return { by: 'all', ...tailThreshold(pool(sets), target) };
}

function rejectedAt(genuine: ScoreSet, { cosine }: Requirement): number {
  return genuine.count === 0 ? 0 : 1 - matchRate(genuine, cosine);
}

function groupRates(group: Group, cosine: number): CalibrationPoint['groups'][number] {
  const { fmr, fnmr } = ratesAt(group, cosine, drawsOf(group));
  return {
    group: group.name,
    fmr: fmr ? round(fmr.value, 7) : null,
    fmr_interval: fmr ? rounded(fmr.interval) : null,
    fnmr: fnmr ? round(fnmr.value, 6) : null,
    fnmr_interval: fnmr ? rounded(fnmr.interval) : null,
  };
}

/**
 * Threshold of an impostor set at an FMR. It is counted if enough pairs are above it; otherwise the tail is
 * extrapolated as a normal distribution through its last two decades that can be counted. On LFW's 7 million pairs this
 * errs on the safe side: 0.537 instead of 0.530 at 1e-4, extrapolated from 1e-2 and 1e-3.
 */
function tailThreshold(impostor: ScoreSet, fmr: number): Omit<Requirement, 'by'> {
  const least = Math.min(LEAST_RATE, MIN_COUNTED / impostor.count);
  if (fmr >= least) return { cosine: thresholdAtFmr(impostor, fmr), extrapolated: false };
  const wider = Math.min(WIDER_RATE, least * 10);
  const [low, high] = [thresholdAtFmr(impostor, wider), thresholdAtFmr(impostor, least)];
  const cosine = Math.min(HIGHEST_COSINE, alongNormalTail(wider, low, least, high, fmr));
  return { cosine, extrapolated: true };
}

/** Interpolates linearly in the normal quantile of the rate, through two points. */
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
 * Pools impostor sets into one, weighting each by its pairs of people. Otherwise a set of few people with many frames
 * each would outweigh a set of thousands. The pool goes only as deep as the scores of every set are known.
 */
export function pool(all: readonly ScoreSet[]): ScoreSet {
  const sets = all.filter(({ count }) => count > 0);
  const floor = Math.max(
    ...sets.map((set) => {
      const end = Math.min(set.scores.length, Math.max(KEEP_ALL_BELOW, Math.floor(DEEPEST * set.count)));
      return end < set.count ? (set.scores[end - 1] ?? 1) : Number.NEGATIVE_INFINITY;
    }),
  );
  const shares = sets.map((set) => set.pairsOfPeople() / set.count);
  const most = Math.max(...shares);
  // In a set with a lower share, a comparison counts less than one, so only every n-th is kept.
  const kept = sets.flatMap((set, at) => {
    const step = most / shares[at]!;
    const order: ScoredPair[] = [];
    const end = Math.min(set.scores.length, Math.max(KEEP_ALL_BELOW, DEEPEST * set.count));
    for (let n = 0; Math.floor(n) < end; n += step) {
      const i = Math.floor(n);
      order.push({ score: set.scores[i]!, first: set.first[i]!, second: set.second[i]! });
    }
    return order.filter(({ score }) => score >= floor);
  });
  const count = sets.reduce((sum, set, at) => sum + (set.count * shares[at]!) / most, 0);
  return { ...scoreSet(kept), count: Math.round(count) };
}

/** Rounds to four digits, never down. */
function roundUp(cosine: number): number {
  return Math.ceil(cosine * 1e4) / 1e4;
}

/** Rounds to `digits` decimals, for a file. */
function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function rounded([low, high]: Interval): [number, number] {
  return [round(low, 7), round(high, 7)];
}
