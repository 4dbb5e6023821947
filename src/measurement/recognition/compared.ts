// Labelled pairs and their samples → scores by group: what rates, calibration and report are computed from.
import { cosineSimilarity } from '../../evaluation/recognition/vector.ts';
import type { Trial } from '../accuracy.ts';
import { allStrangers, type Sample, type ScoreSet, scoreSet } from '../score-set.ts';
import { type LabelledPair, type People, sampleName } from './pairs-file.ts';
import type { FaceSample } from './samples.ts';

/** A pair that was compared. */
export interface ComparedPair extends Trial {
  readonly pair: LabelledPair;
  readonly probeFrames: number;
  readonly referenceFrames: number;
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
      referenceFrames: reference.frames,
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

/**
 * Every two samples of these pairs that show different people. Where all pairs have one number of frames as probe and
 * another as reference, only samples of the one are compared with samples of the other.
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
