// Computes from the region trials how well each region tells people apart, and its thresholds for a calibration file.
// The thresholds are measured on people to whom they were not fitted.
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import type { PackCalibration } from '../../models/packs/calibration.ts';
import { bootstrapInterval, drawPeople } from '../bootstrap.ts';
import { areaUnderCurve, matchRate, thresholdAtFmr } from '../error-rates.ts';
import type { ScoreSet } from '../score-set.ts';
import type { Rate } from './rates.ts';
import { type RegionTrial, regionScores } from './region-trials.ts';

/** How often a region may contradict the whole face. It is a hint for people, never a decision. */
export const REGION_RATE = 0.05;
/** With fewer genuine pairs, the threshold for failing regions is not fitted. Chosen, not measured. */
const MIN_GENUINE = 50;
/** AUCs cover tens of thousands of pairs, so their intervals are narrow and their sums slow to compute. */
const REPLICATES = 100;

type Points = PackCalibration['regions']['points'];
type RegionPoint = Points[string];

/** Measures of one region. */
export interface RegionRates {
  readonly auc: Rate | null;
  readonly genuine: number;
  readonly impostor: number;
  /** Null if there are too few pairs of strangers. */
  readonly point: RegionPoint | null;
}

/** Whether the whole face of a pair matches. */
type Matches = (trial: RegionTrial) => boolean;

/** Rates of every region; `matches` decides for the whole face. */
export function regionRatesOf(
  trials: readonly RegionTrial[],
  matches: Matches,
  people: readonly number[],
): Record<RegionName, RegionRates> {
  const draws = drawPeople(people, REPLICATES);
  const genuineTrials = trials.filter(({ same }) => same);
  const strangerTrials = trials.filter(({ same }) => !same);
  const results = {} as Record<RegionName, RegionRates>;
  for (const name of REGION_NAMES) {
    const [genuine, impostor] = [regionScores(genuineTrials, name), regionScores(strangerTrials, name)];
    const isPresent = genuine.count > 0 && impostor.count > 0;
    const auc = (weights?: Float64Array) => areaUnderCurve(genuine, impostor, weights);
    const value = isPresent ? auc() : Number.NaN;
    results[name] = {
      auc: isPresent
        ? { value, interval: bootstrapInterval(draws, value, auc, genuine.pairsOfPeople()) }
        : null,
      genuine: genuine.count,
      impostor: impostor.count,
      point: fitRegion(trials, matches, name, draws),
    };
  }
  return results;
}

/**
 * The thresholds of one region, fitted to every second person. If the whole face matches: the highest that at most
 * REGION_RATE of genuine pairs fail; if it does not: the lowest that at most REGION_RATE of strangers pass. A Fail
 * beside a match and a Pass beside a non-match are therefore both rare and meaningful. Measured on the other half of
 * the people.
 */
function fitRegion(
  trials: readonly RegionTrial[],
  matches: Matches,
  name: RegionName,
  draws: readonly Float64Array[],
): RegionPoint | null {
  const half = (odd: number) => trials.filter(({ first, second }) => first % 2 === odd && second % 2 === odd);
  const fit = scoresGiven(half(0), matches, name);
  if (fit.failed.count === 0) return null;
  const when_failed = thresholdAtFmr(fit.failed, REGION_RATE);
  const enough = fit.passed.count >= MIN_GENUINE;
  const when_passed = enough ? quantileFromBelow(fit.passed, REGION_RATE) : when_failed;
  const apart = scoresGiven(half(1), matches, name);
  return {
    when_passed: rounded(when_passed, 3),
    when_failed: rounded(when_failed, 3),
    equal_error: enough ? rounded(equalErrorCosine(fit.genuine, fit.strangers), 3) : null,
    held_apart: heldApart(apart, rounded(when_passed, 3), rounded(when_failed, 3), draws),
  };
}

interface ScoresGiven {
  readonly genuine: ScoreSet;
  readonly strangers: ScoreSet;
  /** Genuine pairs whose whole face matches. */
  readonly passed: ScoreSet;
  /** Pairs of strangers whose whole face does not match. */
  readonly failed: ScoreSet;
}

function scoresGiven(trials: readonly RegionTrial[], matches: Matches, name: RegionName): ScoresGiven {
  const genuine = trials.filter(({ same }) => same);
  const strangers = trials.filter(({ same }) => !same);
  return {
    genuine: regionScores(genuine, name),
    strangers: regionScores(strangers, name),
    passed: regionScores(genuine.filter(matches), name),
    failed: regionScores(
      strangers.filter((trial) => !matches(trial)),
      name,
    ),
  };
}

function heldApart(
  { passed, failed, strangers }: ScoresGiven,
  whenPassed: number,
  whenFailed: number,
  draws: readonly Float64Array[],
): RegionPoint['held_apart'] {
  if (passed.count === 0 || failed.count === 0) return null;
  const failing = rateOf(passed, draws, (weights) => 1 - matchRate(passed, whenPassed, weights));
  const passing = rateOf(failed, draws, (weights) => matchRate(failed, whenFailed, weights));
  return {
    genuine_failing: rounded(failing.value, 4),
    genuine_failing_interval: [rounded(failing.interval[0], 4), rounded(failing.interval[1], 4)],
    fmr: rounded(matchRate(strangers, whenPassed), 4),
    strangers_passing: rounded(passing.value, 4),
    strangers_passing_interval: [rounded(passing.interval[0], 4), rounded(passing.interval[1], 4)],
  };
}

function rateOf(
  set: ScoreSet,
  draws: readonly Float64Array[],
  statistic: (weights?: Float64Array) => number,
): Rate {
  const value = statistic();
  return { value, interval: bootstrapInterval(draws, value, statistic, set.pairsOfPeople()) };
}

/** The score below which this share of a set lies. */
function quantileFromBelow({ scores }: ScoreSet, share: number): number {
  return scores[scores.length - 1 - Math.floor(share * scores.length)]!;
}

/** The cosine at which the share of genuine pairs below equals the share of strangers above. */
function equalErrorCosine(genuine: ScoreSet, strangers: ScoreSet): number {
  let [low, high] = [-1, 1];
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (matchRate(strangers, middle) > 1 - matchRate(genuine, middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
