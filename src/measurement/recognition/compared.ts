// Labelled pairs and their samples → scores by group: what rates, calibration and report are computed from.
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import { cosineSimilarity } from '../../evaluation/recognition/vector.ts';
import type { Trial } from '../accuracy.ts';
import { seededRandom } from '../random.ts';
import { allStrangers, type ScoredPair, type ScoreSet, scoreSet } from '../score-set.ts';
import { type LabelledPair, type People, sampleName } from './pairs-file.ts';
import type { FaceSample } from './samples.ts';

/** A pair that was compared. */
export interface ComparedPair extends Trial {
  readonly pair: LabelledPair;
  readonly probeFrames: number;
}

/** Pairs of one value of a column, or all of them. */
export interface Group {
  readonly column: string;
  readonly name: string;
  readonly pairs: readonly ComparedPair[];
  readonly genuine: ScoreSet;
  readonly impostor: ScoreSet;
  /** The people among them, as indexes. */
  readonly people: readonly number[];
}

export interface CompareInput {
  readonly pairs: readonly LabelledPair[];
  /** By sample name; null: failed to acquire. */
  readonly samples: ReadonlyMap<string, FaceSample | null>;
  readonly people: People;
  /** Whether every two samples of different people of a group are impostor pairs, instead of those listed. */
  readonly strangers: boolean;
}

/** Scores of the listed pairs whose sides could both be acquired. */
export function comparePairs({ pairs, samples, people }: CompareInput): ComparedPair[] {
  return pairs.flatMap((pair) => {
    const probe = samples.get(sampleName(pair.probe));
    const reference = samples.get(sampleName(pair.reference));
    if (!probe || !reference) return [];
    return {
      pair,
      same: pair.same,
      score: cosineSimilarity(probe.probe, reference.stored),
      first: people.indexOf(pair.probe),
      second: people.indexOf(pair.reference),
      probeFrames: probe.frames,
    };
  });
}

/** The group of these compared pairs. */
export function groupOf(
  column: string,
  name: string,
  compared: readonly ComparedPair[],
  input: CompareInput,
): Group {
  const listed = compared.filter((pair) => !pair.same && pair.first !== pair.second);
  const involved = new Set(compared.flatMap(({ first, second }) => [first, second]));
  return {
    column,
    name,
    pairs: compared,
    genuine: scoreSet(compared.filter((pair) => pair.same)),
    impostor: input.strangers ? strangersOf(compared, input) : scoreSet(listed),
    people: [...involved].sort((a, b) => a - b),
  };
}

/** Every two samples of these pairs that show different people. */
function strangersOf(compared: readonly ComparedPair[], { samples, people }: CompareInput): ScoreSet {
  const seen = new Map<string, { person: number; vector: Float32Array }>();
  for (const { pair } of compared)
    for (const side of [pair.probe, pair.reference]) {
      const name = sampleName(side);
      const sample = samples.get(name);
      if (sample && !seen.has(name)) seen.set(name, { person: people.indexOf(side), vector: sample.stored });
    }
  return allStrangers([...seen.values()]);
}

/**
 * Scores of each region: genuine pairs as listed, impostors as listed and, beside them, strangers drawn by lot. Regions are
 * of one frame: where the list holds sets of several sizes, the larger would only repeat the people of the smallest.
 */
export function compareRegionPairs(
  listed: readonly ComparedPair[],
  input: CompareInput,
  strangers: number,
): Record<RegionName, { genuine: ScoreSet; impostor: ScoreSet }> {
  const filesOf = ({ pair }: ComparedPair) => pair.probe.length + pair.reference.length;
  const fewest = listed.reduce((least, pair) => Math.min(least, filesOf(pair)), Infinity);
  const compared = listed.filter((pair) => filesOf(pair) === fewest);
  const sides = [
    ...new Map(
      compared.flatMap(({ pair }) => [pair.probe, pair.reference]).map((side) => [sampleName(side), side]),
    ).values(),
  ];
  const random = seededRandom(2);
  const draw = () => sides[Math.floor(random() * sides.length)]!;
  const drawn: { probe: readonly string[]; reference: readonly string[]; same: boolean }[] = [];
  for (let i = 0; i < strangers && sides.length > 1; i++) {
    const [probe, reference] = [draw(), draw()];
    if (input.people.indexOf(probe) !== input.people.indexOf(reference))
      drawn.push({ probe, reference, same: false });
  }
  const pairs = [...compared.map(({ pair }) => pair), ...drawn];
  const scored = (name: RegionName, same: boolean) =>
    scoreSet(
      pairs.flatMap((pair): ScoredPair[] => {
        const a = input.samples.get(sampleName(pair.probe))?.regions[name];
        const b = input.samples.get(sampleName(pair.reference))?.regions[name];
        if (pair.same !== same || !a || !b) return [];
        const first = input.people.indexOf(pair.probe);
        return [{ score: cosineSimilarity(a, b), first, second: input.people.indexOf(pair.reference) }];
      }),
    );
  const results = {} as Record<RegionName, { genuine: ScoreSet; impostor: ScoreSet }>;
  for (const name of REGION_NAMES)
    results[name] = { genuine: scored(name, true), impostor: scored(name, false) };
  return results;
}
