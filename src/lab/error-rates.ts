// Error rates of two score sets (ISO/IEC 19795-1): FMR, FNMR, thresholds, EER, AUC and error curves. Pure. A comparison
// matches if its score is at least the threshold. `weights` says how often each person counts; by default, once.
import { type ScoreSet, weightOfPair } from './score-set.ts';

/** Added to a score, this gives a threshold just above it: no float32 near 1 lies in between. */
const STEP = 1e-6;

/**
 * Share of comparisons at or above the threshold: the FMR of an impostor set, 1 − FNMR of a genuine one. NaN if there
 * are no comparisons, if the threshold is NaN, or if it is below the last score that was kept.
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
 * Lowest threshold whose FMR is at most `fmr`. With fewer than 1 / fmr comparisons it is just above the best impostor
 * score. Without any it is NaN, which happens if a bootstrap draws only people who are in none.
 */
export function thresholdAtFmr(impostors: ScoreSet, fmr: number, weights?: Float64Array): number {
  const total = weights ? impostors.weightOf(weights) : impostors.count;
  if (!(total > 0)) return Number.NaN;
  const allowed = fmr * total;
  let matched = 0;
  for (let i = 0; i < impostors.scores.length; i++) {
    matched += weightAt(impostors, i, weights);
    // The tolerance is half a part in a billion, because the target times the count is rarely exact in binary.
    if (matched > allowed * (1 + 5e-10)) return impostors.scores[i]! + STEP;
  }
  return impostors.scores.at(-1)! - STEP;
}

/**
 * The rate at which FMR and FNMR are equal, interpolated linearly between the two nearest thresholds. NaN if a set is
 * empty, or if the rates cross among impostors whose scores were not kept.
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
    // At the threshold just above this impostor, the FMR is still the previous one.
    if (missed <= fmr) return crossing(fmr, fmr, fnmr, missed);
    const next = fmr + weightAt(impostors, i, weights) / impostorTotal;
    if (missed <= next) return crossing(fmr, next, missed, missed);
    fmr = next;
    fnmr = missed;
  }
  return isPartial(impostors) ? Number.NaN : fmr;
}

/** Whether the set holds only its best scores. */
function isPartial({ scores, count }: ScoreSet): boolean {
  return scores.length < count;
}

/** Where an FMR that rises from `fromFmr` to `toFmr` meets an FNMR that falls from `fromFnmr` to `toFnmr`. */
function crossing(fromFmr: number, toFmr: number, fromFnmr: number, toFnmr: number): number {
  const gap = fromFnmr - fromFmr;
  const closing = toFmr - fromFmr + (fromFnmr - toFnmr);
  return closing > 0 ? fromFmr + ((toFmr - fromFmr) * gap) / closing : fromFmr;
}

/**
 * Probability that a genuine comparison scores above an impostor one; ties count half. Both sets must hold all their
 * scores.
 */
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

/** One point of a ROC or DET curve. */
export interface CurvePoint {
  readonly threshold: number;
  readonly fmr: number;
  readonly fnmr: number;
}

/**
 * The curve at thresholds spread evenly over the logarithm of the FMR (`points` steps) and over the genuine scores
 * (`points` more). It ends at the last impostor score that was kept, because the FMR below it is unknown. Empty if a
 * set is empty.
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
