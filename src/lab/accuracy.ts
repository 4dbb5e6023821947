// Accuracy by cross-validation over people, as in LFW's protocol: no threshold is fitted to the pairs that it decides.
import { weightOfPair } from './score-set.ts';

/** One listed comparison. */
export interface Trial {
  readonly score: number;
  readonly same: boolean;
  /** The two people, as indexes; the first determines the trial's fold. */
  readonly first: number;
  readonly second: number;
}

const FOLDS = 10;
/** With fewer people, leaving out one fold would leave nobody to fit the threshold to, so pairs are folded instead. */
const MIN_PEOPLE = 2 * FOLDS;

/** Whether each trial is decided correctly by the threshold that is best on the other folds. */
export function decideByFolds(trials: readonly Trial[]): boolean[] {
  const people = new Set(trials.flatMap(({ first, second }) => [first, second])).size;
  const sorted = trials
    .map((trial, index) => ({ ...trial, index, fold: (people < MIN_PEOPLE ? index : trial.first) % FOLDS }))
    .sort((a, b) => a.score - b.score);
  const right: boolean[] = new Array(trials.length);
  for (let fold = 0; fold < FOLDS; fold++) {
    const threshold = bestThreshold(sorted.filter((trial) => trial.fold !== fold));
    for (const trial of sorted)
      if (trial.fold === fold) right[trial.index] = trial.score >= threshold === trial.same;
  }
  return right;
}

/** Share of correct decisions; `weights` says how often each person counts. */
export function accuracyOf(
  trials: readonly Trial[],
  right: readonly boolean[],
  weights?: Float64Array,
): number {
  let sum = 0;
  let total = 0;
  for (const [i, { first, second }] of trials.entries()) {
    const weight = weights ? weightOfPair(first, second, weights) : 1;
    total += weight;
    if (right[i]) sum += weight;
  }
  return sum / total;
}

/** The threshold with the most correct decisions among ascending trials, halfway between its neighbours. */
function bestThreshold(ascending: readonly Trial[]): number {
  // Below every score all trials match, so the genuine ones are correct.
  let right = ascending.filter((trial) => trial.same).length;
  let most = right;
  let best = Number.NEGATIVE_INFINITY;
  for (const [i, trial] of ascending.entries()) {
    right += trial.same ? -1 : 1;
    const next = ascending[i + 1]?.score ?? trial.score + 1e-6;
    if (right > most && next > trial.score) {
      most = right;
      best = (trial.score + next) / 2;
    }
  }
  return best;
}
