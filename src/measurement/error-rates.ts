// Error rates of two score sets (ISO/IEC 19795-1): FMR, FNMR, thresholds, EER, AUC and their curve. Pure. A comparison
// matches when its score is at least the threshold. `weights` is how often each person counts; without it, once.
import { type ScoreSet, weightOfPair } from './score-set.ts';

/** Just above a score: no float32 near 1 lies between. */
const STEP = 1e-6;

/**
 * Share of comparisons at or above the threshold: the FMR of an impostor set, 1 − FNMR of a genuine one. NaN of no
 * comparisons, at no threshold (NaN), and below the last score that was kept.
 */
export function matchRate(set: ScoreSet, threshold: number, weights?: Float64Array): number {
  if (Number.isNaN(threshold) || (isPartial(set) && threshold < set.scores.at(-1)!)) return Number.NaN;
  const total = weights ? set.weightOf(weights) : set.count;
  let matched = 0;
  for (let i = 0; i < set.scores.length && set.scores[i]! >= threshold; i++)
    matched += weightAt(set, i, weights);
  return matched / total;
}

/**
 * Lowest threshold whose FMR is at most `fmr`. With fewer than 1 / fmr comparisons it lies just above the best impostor;
 * without any it is NaN: a bootstrap may draw people who are in none.
 */
export function thresholdAtFmr(impostors: ScoreSet, fmr: number, weights?: Float64Array): number {
  const total = weights ? impostors.weightOf(weights) : impostors.count;
  if (!(total > 0)) return Number.NaN;
  const allowed = fmr * total;
  let matched = 0;
  for (let i = 0; i < impostors.scores.length; i++) {
    matched += weightAt(impostors, i, weights);
    // Half a part in a billion: the target times the count is rarely exact in binary.
    if (matched > allowed * (1 + 5e-10)) return impostors.scores[i]! + STEP;
  }
  return impostors.scores.at(-1)! - STEP;
}

/**
 * Where both rates are equal, linear between the two thresholds around it; NaN if a side is empty, or the rates meet among
 * impostors whose scores were not kept.
 */
export function equalErrorRate(genuine: ScoreSet, impostors: ScoreSet, weights?: Float64Array): number {
  const genuineTotal = weights ? genuine.weightOf(weights) : genuine.count;
  const impostorTotal = weights ? impostors.weightOf(weights) : impostors.count;
  if (!(genuineTotal > 0 && impostorTotal > 0)) return Number.NaN;
  let accepted = 0;
  let g = 0;
  let fmr = 0;
  let fnmr = 1;
  for (let i = 0; i < impostors.scores.length; i++) {
    const score = impostors.scores[i]!;
    while (g < genuine.scores.length && genuine.scores[g]! > score)
      accepted += weightAt(genuine, g++, weights);
    const missed = 1 - accepted / genuineTotal;
    // The threshold just above this impostor: the FMR is still the former one.
    if (missed <= fmr) return crossing(fmr, fmr, fnmr, missed);
    const next = fmr + weightAt(impostors, i, weights) / impostorTotal;
    if (missed <= next) return crossing(fmr, next, missed, missed);
    fmr = next;
    fnmr = missed;
  }
  return isPartial(impostors) ? Number.NaN : fmr;
}

/** Whether only the best of its scores are there. */
function isPartial({ scores, count }: ScoreSet): boolean {
  return scores.length < count;
}

/** Where FMR rising from `fromFmr` to `toFmr` meets FNMR falling from `fromFnmr` to `toFnmr`. */
function crossing(fromFmr: number, toFmr: number, fromFnmr: number, toFnmr: number): number {
  const gap = fromFnmr - fromFmr;
  const closing = toFmr - fromFmr + (fromFnmr - toFnmr);
  return closing > 0 ? fromFmr + ((toFmr - fromFmr) * gap) / closing : fromFmr;
}

/** Probability that a genuine comparison scores above an impostor one, ties half. Both sets must hold all scores. */
export function areaUnderCurve(genuine: ScoreSet, impostors: ScoreSet, weights?: Float64Array): number {
  let below = 0;
  let i = impostors.scores.length - 1;
  let area = 0;
  let genuineTotal = 0;
  for (let g = genuine.scores.length - 1; g >= 0; g--) {
    const score = genuine.scores[g]!;
    while (i >= 0 && impostors.scores[i]! < score) below += weightAt(impostors, i--, weights);
    let ties = 0;
    for (let t = i; t >= 0 && impostors.scores[t] === score; t--) ties += weightAt(impostors, t, weights);
    const weight = weightAt(genuine, g, weights);
    genuineTotal += weight;
    area += weight * (below + ties / 2);
  }
  const impostorTotal = weights ? impostors.weightOf(weights) : impostors.count;
  return area / (genuineTotal * impostorTotal);
}

/** One point of the ROC and DET curves. */
export interface CurvePoint {
  readonly threshold: number;
  readonly fmr: number;
  readonly fnmr: number;
}

/**
 * The curve at `points` thresholds, evenly spread over the logarithm of the FMR and then over the genuine scores; as far as
 * the impostors' scores were kept: below the last of them nobody knows the FMR. No points where a side is empty.
 */
export function errorCurve(genuine: ScoreSet, impostors: ScoreSet, points = 120): CurvePoint[] {
  if (genuine.count === 0 || impostors.count === 0) return [];
  const thresholds = new Set<number>();
  const least = 1 / impostors.count;
  for (let i = 0; i <= points; i++) thresholds.add(thresholdAtFmr(impostors, least ** (1 - i / points)));
  for (let i = 0; i < points; i++) {
    const score = genuine.scores[Math.floor((i / points) * genuine.scores.length)];
    if (score !== undefined) thresholds.add(score);
  }
  const leastKnown = isPartial(impostors) ? impostors.scores.at(-1)! : Number.NEGATIVE_INFINITY;
  return [...thresholds]
    .filter((threshold) => threshold >= leastKnown)
    .sort((a, b) => b - a)
    .map((threshold) => ({
      threshold,
      fmr: matchRate(impostors, threshold),
      fnmr: 1 - matchRate(genuine, threshold),
    }));
}

function weightAt(set: ScoreSet, index: number, weights: Float64Array | undefined): number {
  return weights ? weightOfPair(set.first[index]!, set.second[index]!, weights) : 1;
}
