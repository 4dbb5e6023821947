// Sorted comparison scores of one kind (genuine or impostor) with the people compared. All rates, curves and bootstraps
// in this folder use them.
import { distinctPairs } from './bootstrap.ts';

/** Comparisons, best score first. */
export interface ScoreSet {
  /** Number of all comparisons; `scores` may hold only the best of them. */
  readonly count: number;
  /** Descending. */
  readonly scores: Float32Array;
  /** The two people of each comparison, as indexes; equal in a genuine comparison. */
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** Sum of the comparisons' weights if person p counts `weights[p]` times: genuine w, impostor w · w. */
  readonly weightOf: (weights: Float64Array) => number;
  /** Number of distinct pairs of people (distinct people, in a genuine set); these count as independent. */
  readonly pairsOfPeople: () => number;
  /** Number of all comparisons per score bin, starting at −1. */
  readonly distribution: (binWidth: number) => number[];
}

/** One comparison before sorting. */
export interface ScoredPair {
  readonly score: number;
  readonly first: number;
  readonly second: number;
}

/** Builds a set from listed comparisons. */
export function scoreSet(pairs: readonly ScoredPair[]): ScoreSet {
  const sorted = pairs.toSorted((a, b) => b.score - a.score);
  const first = Uint32Array.from(sorted, (pair) => pair.first);
  const second = Uint32Array.from(sorted, (pair) => pair.second);
  return {
    count: sorted.length,
    scores: Float32Array.from(sorted, (pair) => pair.score),
    first,
    second,
    weightOf: (weights) => {
      let sum = 0;
      for (let i = 0; i < first.length; i++) sum += weightOfPair(first[i]!, second[i]!, weights);
      return sum;
    },
    pairsOfPeople: () => distinctPairs(first, second),
    distribution: (binWidth) =>
      countBins(
        sorted.map(({ score }) => [score, 1] as const),
        binWidth,
      ),
  };
}

function countBins(counted: Iterable<readonly [score: number, count: number]>, binWidth: number): number[] {
  const bins = new Array<number>(Math.round(2 / binWidth)).fill(0);
  for (const [score, count] of counted)
    bins[Math.max(0, Math.min(bins.length - 1, Math.floor((score + 1) / binWidth)))]! += count;
  return bins;
}

/** Weight of one comparison: the person's weight if genuine, the product of both people's weights if impostor. */
export function weightOfPair(first: number, second: number, weights: Float64Array): number {
  return first === second ? weights[first]! : weights[first]! * weights[second]!;
}

/** A template's vector and the person it belongs to. */
export interface Sample {
  readonly person: number;
  readonly vector: Float32Array;
}

/** Up to this many impostor scores are all kept; of more, only the best KEPT_SHARE, which suffices for all rates. */
const KEEP_ALL_BELOW = 500_000;
const KEPT_SHARE = 0.12;
const BINS = 20_000;

/**
 * Compares all pairs of samples of different people: the impostor comparisons that a folder of labelled faces allows.
 * 3,800 samples make 7 million comparisons in about two seconds. With `others`, each sample is compared with each of
 * those instead.
 */
export function allStrangers(samples: readonly Sample[], others?: readonly Sample[]): ScoreSet {
  const cells = new Uint32Array(BINS + 1);
  const matrix: Float32Array[] = [];
  const columns = others ?? samples;
  let count = 0;
  for (const [i, a] of samples.entries()) {
    const row = new Float32Array(others ? others.length : i);
    for (let j = 0; j < row.length; j++) {
      const b = columns[j]!;
      row[j] = a.person === b.person ? Number.NaN : dot(a.vector, b.vector);
      if (a.person === b.person) continue;
      count++;
      cells[binOf(row[j]!)]!++;
    }
    matrix.push(row);
  }
  const floor = count <= KEEP_ALL_BELOW ? Number.NEGATIVE_INFINITY : floorOf(cells, count * KEPT_SHARE);
  const kept: ScoredPair[] = [];
  for (const [i, row] of matrix.entries())
    for (let j = 0; j < row.length; j++)
      if (row[j]! >= floor)
        kept.push({ score: row[j]!, first: samples[i]!.person, second: columns[j]!.person });
  return {
    ...scoreSet(kept),
    count,
    weightOf: strangersWeight(samples, others),
    pairsOfPeople: () => pairsOfStrangers(samples, others),
    distribution: (binWidth) =>
      countBins(
        Array.from(cells, (n, bin) => [(bin / BINS) * 2 - 1, n] as const),
        binWidth,
      ),
  };
}

/** All pairs except those of one person: Σ a · Σ b − Σ a·b over the people, halved if both sides are the same. */
function strangersWeight(samples: readonly Sample[], others?: readonly Sample[]): ScoreSet['weightOf'] {
  const [rows, columns] = [countByPerson(samples), countByPerson(others ?? samples)];
  return (weights) => {
    let [sumOfRows, sumOfColumns, ofOnePerson] = [0, 0, 0];
    for (const [person, count] of columns) sumOfColumns += count * weights[person]!;
    for (const [person, count] of rows) {
      const weight = count * weights[person]!;
      sumOfRows += weight;
      ofOnePerson += weight * (columns.get(person) ?? 0) * weights[person]!;
    }
    return (sumOfRows * sumOfColumns - ofOnePerson) / (others ? 1 : 2);
  };
}

/** Number of pairs of people: within one side, or across two sides, where a pair found both ways counts once. */
function pairsOfStrangers(samples: readonly Sample[], others?: readonly Sample[]): number {
  const rows = new Set(samples.map(({ person }) => person));
  if (!others) return (rows.size * (rows.size - 1)) / 2;
  const columns = new Set(others.map(({ person }) => person));
  const both = [...rows].filter((person) => columns.has(person)).length;
  return rows.size * columns.size - both - (both * (both - 1)) / 2;
}

function countByPerson(samples: readonly Sample[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { person } of samples) counts.set(person, (counts.get(person) ?? 0) + 1);
  return counts;
}

function binOf(score: number): number {
  return Math.max(0, Math.min(BINS, Math.floor(((score + 1) / 2) * BINS)));
}

/** The score above which about `wanted` comparisons lie. */
function floorOf(cells: Uint32Array, wanted: number): number {
  let seen = 0;
  for (let bin = BINS; bin >= 0; bin--) {
    seen += cells[bin]!;
    if (seen >= wanted) return (bin / BINS) * 2 - 1;
  }
  return Number.NEGATIVE_INFINITY;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
