// Finds the two people whom a recogniser confuses most. Among few people, one pair of look-alikes causes most false
// matches, so a threshold that one pair determines must be recognisable as such.
import { type ScoreSet, scoreSet } from '../score-set.ts';

interface WorstPair {
  /** Their share of the false matches at the given threshold. */
  readonly share: number;
  /** The set without their comparisons. */
  readonly rest: () => ScoreSet;
}

/** The pair of people with the most comparisons at or above the threshold; null if there is none. */
export function worstPairOf(impostor: ScoreSet, threshold: number): WorstPair | null {
  const counts = new Map<string, number>();
  let above = 0;
  for (; above < impostor.scores.length && impostor.scores[above]! >= threshold; above++) {
    const key = keyOf(impostor, above);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [worst] = [...counts].sort((a, b) => b[1] - a[1]);
  if (!worst) return null;
  let rest: ScoreSet | null = null;
  return {
    share: worst[1] / above,
    rest: () => {
      rest ??= without(impostor, worst[0]);
      return rest;
    },
  };
}

function keyOf({ first, second }: ScoreSet, at: number): string {
  const [a, b] = [first[at]!, second[at]!];
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/**
 * The set without a pair. If the set holds only its best scores, only the pair's scores among those reduce the count.
 */
function without(set: ScoreSet, pair: string): ScoreSet {
  const kept = Array.from(set.scores, (score, at) => ({
    score,
    first: set.first[at]!,
    second: set.second[at]!,
    isOfPair: keyOf(set, at) === pair,
  })).filter(({ isOfPair }) => !isOfPair);
  return {
    ...scoreSet(kept),
    count: set.count - (set.scores.length - kept.length),
    pairsOfPeople: () => set.pairsOfPeople() - 1,
  };
}
