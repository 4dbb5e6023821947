// What a fusion of MobileFaceNet with dlib would gain: error rates on LFW's open people, and what LFW's thresholds are
// worth on NUAA's webcam. A fusion's cosine is that of its parts, each by the square of its weight, so the templates
// that `likeness bench recognition` keeps of either pack are all that is needed.
// Usage: tsx bench/fusion.ts PAIRS_CSV CACHE_OF_MOBILEFACENET CACHE_OF_DLIB
import { averageEmbeddings } from '../src/evaluation/recognition/embed.ts';
import { cosineSimilarity, normalise } from '../src/evaluation/recognition/vector.ts';
import { equalErrorRate, matchRate, thresholdAtFmr } from '../src/measurement/error-rates.ts';
import { findPeople, readPairs } from '../src/measurement/recognition/pairs-file.ts';
import { sampleOf } from '../src/measurement/recognition/samples.ts';
import { allStrangers, type ScoredPair, type ScoreSet, scoreSet } from '../src/measurement/score-set.ts';
import { readFacesIdentities, readKeptTemplate } from './kept-templates.ts';

const [pairsFile, ...caches] = process.argv.slice(2);
if (!pairsFile || caches.length !== 2) throw new Error('name the pairs and the two folders of templates');
/** Weight of each pack's unit vector: MobileFaceNet's, dlib's. */
const WEIGHTS = [
  [1, 0],
  [1, 0.5],
  [1, 1],
  [1, 1.25],
  [0, 1],
] as const;

/** The rate of false matches that NUAA's strangers are held to by what ships. */
const NUAA_FMR = 1e-3;

const pairs = await readPairs(pairsFile);
const people = findPeople(pairs, await readFacesIdentities());
const vectors = new Map<string, readonly [Float32Array, Float32Array] | null>();
for (const file of new Set(pairs.flatMap(({ probe, reference }) => [...probe, ...reference])))
  vectors.set(file, partsOf(file));

console.log(
  '| weights | LFW FNMR at FMR 1e-3 | 1e-4 | NUAA FMR at the LFW 1e-4 threshold | LFW FNMR where NUAA has FMR 1e-3 | two frames | NUAA EER |',
);
console.log('|---|---|---|---|---|---|---|');
for (const weights of WEIGHTS) {
  const [lfw, nuaa] = [scoresOf('lfw', 1, weights), scoresOf('nuaa', 1, weights)];
  const [lfwTwo, nuaaTwo] = [scoresOf('lfw', 2, weights), scoresOf('nuaa', 2, weights)];
  const figures = [
    missed(lfw, thresholdAtFmr(lfw.impostor, 1e-3)),
    missed(lfw, thresholdAtFmr(lfw.impostor, 1e-4)),
    matchRate(nuaa.impostor, thresholdAtFmr(lfw.impostor, 1e-4)),
    missed(lfw, thresholdAtFmr(nuaa.impostor, NUAA_FMR)),
    missed(lfwTwo, thresholdAtFmr(nuaaTwo.impostor, NUAA_FMR)),
    equalErrorRate(nuaa.genuine, nuaa.impostor),
  ].map((rate) => `${(100 * rate).toFixed(2)} %`);
  console.log(`| ${weights.join(' : ')} | ${figures.join(' | ')} |`);
}

interface Scores {
  readonly genuine: ScoreSet;
  readonly impostor: ScoreSet;
}

function missed({ genuine }: Scores, threshold: number): number {
  return 1 - matchRate(genuine, threshold);
}

function partsOf(file: string): readonly [Float32Array, Float32Array] | null {
  const [a, b] = caches.map((folder) => sampleOf([readKeptTemplate(folder, file)]));
  return a && b ? [a.probe, b.probe] : null;
}

/** Of the listed genuine pairs with so many frames a side, and of all strangers among their samples. */
function scoresOf(set: string, frames: number, weights: readonly [number, number]): Scores {
  const those = pairs.filter(({ columns }) => columns.set === set && columns.frames === String(frames));
  const fused = new Map<string, { person: number; vector: Float32Array }>();
  for (const side of those.flatMap(({ probe, reference }) => [probe, reference])) {
    const own = side.map((file) => vectors.get(file)).filter((parts) => parts != null);
    if (own.length === 0) continue;
    const vector = averageEmbeddings(own.map((parts) => joined(parts, weights)));
    fused.set(side.join('|'), { person: people.indexOf(side), vector });
  }
  const genuine = those.flatMap((pair): ScoredPair[] => {
    const [a, b] = [fused.get(pair.probe.join('|')), fused.get(pair.reference.join('|'))];
    if (!pair.same || !a || !b) return [];
    return [{ score: cosineSimilarity(a.vector, b.vector), first: a.person, second: a.person }];
  });
  return { genuine: scoreSet(genuine), impostor: allStrangers([...fused.values()]) };
}

/** As embed() joins the networks of a pack. */
function joined(
  parts: readonly [Float32Array, Float32Array],
  weights: readonly [number, number],
): Float32Array {
  const values = parts.flatMap((part, i) => Array.from(part, (value) => value * weights[i]!));
  return normalise(Float32Array.from(values));
}
