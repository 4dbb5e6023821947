// The likeness regions of the pairs: the cosine of each region and of the whole face.
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import { cosineSimilarity } from '../../evaluation/recognition/vector.ts';
import { seededRandom } from '../random.ts';
import { type ScoreSet, scoreSet } from '../score-set.ts';
import type { ComparedPair, CompareInput } from './compared.ts';
import { sampleName } from './pairs-file.ts';

/** One pair, region by region. */
export interface RegionTrial {
  readonly same: boolean;
  /** The two people, as indexes. */
  readonly first: number;
  readonly second: number;
  /** Cosine of the whole face; most lists have one frame per side. */
  readonly cosine: number;
  readonly probeFrames: number;
  readonly referenceFrames: number;
  readonly regions: Readonly<Partial<Record<RegionName, number>>>;
}

/**
 * Trials of the listed pairs and of `strangers` additional random impostor pairs. Regions come from a single frame, so
 * if the list has pairs with different numbers of frames, only those with the fewest are used; the others would repeat
 * the same people.
 */
export function regionTrials(
  listed: readonly ComparedPair[],
  input: CompareInput,
  strangers: number,
): RegionTrial[] {
  const filesOf = ({ pair }: ComparedPair) => pair.probe.length + pair.reference.length;
  const fewest = listed.reduce((least, pair) => Math.min(least, filesOf(pair)), Infinity);
  const pairs = listed.filter((pair) => filesOf(pair) === fewest).map(({ pair }) => pair);
  return [...pairs, ...drawStrangers(pairs, input, strangers)].flatMap((pair) => trialOf(pair, input));
}

type Sides = Pick<ComparedPair['pair'], 'probe' | 'reference' | 'same'>;

function drawStrangers(pairs: readonly Sides[], { people }: CompareInput, strangers: number): Sides[] {
  const sides = [
    ...new Map(
      pairs.flatMap(({ probe, reference }) => [probe, reference]).map((side) => [sampleName(side), side]),
    ).values(),
  ];
  const random = seededRandom(2);
  const draw = () => sides[Math.floor(random() * sides.length)]!;
  const drawn: Sides[] = [];
  for (let i = 0; i < strangers && sides.length > 1; i++) {
    const [probe, reference] = [draw(), draw()];
    if (people.indexOf(probe) !== people.indexOf(reference)) drawn.push({ probe, reference, same: false });
  }
  return drawn;
}

function trialOf({ probe, reference, same }: Sides, { samples, people }: CompareInput): RegionTrial[] {
  const [a, b] = [samples.get(sampleName(probe)), samples.get(sampleName(reference))];
  if (!a || !b) return [];
  const regions: Partial<Record<RegionName, number>> = {};
  for (const name of REGION_NAMES) {
    const [one, other] = [a.regions[name], b.regions[name]];
    if (one && other) regions[name] = cosineSimilarity(one, other);
  }
  return [
    {
      same,
      regions,
      first: people.indexOf(probe),
      second: people.indexOf(reference),
      cosine: cosineSimilarity(a.probe, b.stored),
      probeFrames: a.frames,
      referenceFrames: b.frames,
    },
  ];
}

/** The scores of one region in these trials. */
export function regionScores(trials: readonly RegionTrial[], name: RegionName): ScoreSet {
  return scoreSet(
    trials.flatMap(({ first, second, regions }) => {
      const score = regions[name];
      return score === undefined ? [] : [{ score, first, second }];
    }),
  );
}
