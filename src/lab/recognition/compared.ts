// Computes scores by group from labelled pairs and their samples. Rates, calibration and report are based on them.
import { cosineSimilarity } from '../../evaluation/recognition/vector.ts';
import type { Trial } from '../accuracy.ts';
import { allStrangers, type Sample, type ScoreSet, scoreSet } from '../score-set.ts';
import { type LabelledPair, type People, sampleName } from './pairs-file.ts';
import type { FaceSample } from './samples.ts';

/** A compared pair. */
export interface ComparedPair extends Trial {
  readonly pair: LabelledPair;
  readonly probeFrames: number;
  readonly referenceFrames: number;
}

/** The pairs with one value of a column, or all pairs. */
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
  /** By sample name; null means a failure to acquire. */
  readonly samples: ReadonlyMap<string, FaceSample | null>;
  readonly people: People;
  /** Whether a group's impostor pairs are all pairs of samples of different people, instead of the listed ones. */
  readonly strangers: boolean;
}

/** Scores the listed pairs of which both sides could be acquired. */
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
      referenceFrames: reference.frames,
    };
  });
}

/** Builds the group of these compared pairs. */
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

/**
 * All pairs of samples, among those of `compared`, that show different people. If all pairs have the same number of
 * frames as probe and the same other number as reference, only samples of the first kind are compared with the second.
 */
function strangersOf(compared: readonly ComparedPair[], { samples, people }: CompareInput): ScoreSet {
  const seen = new Map<string, Sample & { frames: number }>();
  for (const { pair } of compared)
    for (const side of [pair.probe, pair.reference]) {
      const name = sampleName(side);
      const sample = samples.get(name);
      if (!sample || seen.has(name)) continue;
      seen.set(name, { person: people.indexOf(side), vector: sample.stored, frames: sample.frames });
    }
  const every = [...seen.values()];
  const [probe, reference] = compared[0] ? [compared[0].probeFrames, compared[0].referenceFrames] : [1, 1];
  const areAlike = compared.every((pair) => pair.probeFrames === probe && pair.referenceFrames === reference);
  if (!areAlike || probe === reference) return allStrangers(every);
  const of = (frames: number) => every.filter((sample) => sample.frames === frames);
  return allStrangers(of(probe), of(reference));
}
