// What a fusion of MobileFaceNet with dlib would gain: error rates on LFW's open people, and what LFW's thresholds are
// worth on NUAA's webcam. A fusion's cosine is that of its parts, each by the square of its weight, so the templates
// that `likeness bench recognition` keeps of either pack are all that is needed.
// Usage: tsx bench/fusion.ts PAIRS_CSV CACHE_OF_MOBILEFACENET CACHE_OF_DLIB
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cosineSimilarity, normalise } from '../src/evaluation/recognition/vector.ts';
import { equalErrorRate, matchRate, thresholdAtFmr } from '../src/measurement/error-rates.ts';
import type { FileTemplate } from '../src/measurement/recognition/embedding-cache.ts';
import { findPeople, readIdentities, readPairs } from '../src/measurement/recognition/pairs-file.ts';
import { sampleOf } from '../src/measurement/recognition/samples.ts';
import { allStrangers, type ScoredPair, type ScoreSet, scoreSet } from '../src/measurement/score-set.ts';

const facesDir = resolve(process.env.FACES_DIR ?? '../shared/faces');
const [pairsFile, ...caches] = process.argv.slice(2);
if (!pairsFile || caches.length !== 2) throw new Error('name the pairs and the two folders of templates');
/** Weight of each pack's unit vector: MobileFaceNet's, dlib's. */
const WEIGHTS = [
  [1, 0],
  [1, 0.4],
  [1, 0.5],
  [1, 0.8],
  [1, 1],
  [0, 1],
] as const;

const pairs = (await readPairs(pairsFile)).filter(({ columns }) => columns.frames === '1');
const identities = await readIdentities(
  ['pairs/manifest.csv', 'spoof/manifest.csv'].map((path) => join(facesDir, path)),
);
const people = findPeople(pairs, identities);
const vectors = new Map<string, readonly [Float32Array, Float32Array] | null>();
for (const file of new Set(pairs.flatMap(({ probe, reference }) => [...probe, ...reference])))
  vectors.set(file, partsOf(file));

console.log(
  '| weights | LFW FNMR at FMR 1e-3 | 1e-4 | NUAA FMR at the LFW 1e-4 threshold | NUAA EER | comparisons |',
);
console.log('|---|---|---|---|---|---|');
for (const weights of WEIGHTS) {
  const lfw = scoresOf('lfw', weights);
  const nuaa = scoresOf('nuaa', weights);
  const missed = (fmr: number) => 1 - matchRate(lfw.genuine, thresholdAtFmr(lfw.impostor, fmr));
  const figures = [
    ...[missed(1e-3), missed(1e-4)],
    matchRate(nuaa.impostor, thresholdAtFmr(lfw.impostor, 1e-4)),
    equalErrorRate(nuaa.genuine, nuaa.impostor),
  ].map((rate) => `${(100 * rate).toFixed(2)} %`);
  const counts = [lfw, nuaa].map(({ genuine, impostor }) => `${genuine.count} + ${impostor.count}`);
  console.log(`| ${weights.join(' : ')} | ${figures.join(' | ')} | ${counts.join('; ')} |`);
}

function partsOf(file: string): readonly [Float32Array, Float32Array] | null {
  const hash = createHash('sha256')
    .update(readFileSync(join(facesDir, file)))
    .digest('hex');
  const [a, b] = caches.map((folder) =>
    sampleOf([JSON.parse(readFileSync(join(folder, `${hash}.json`), 'utf8')) as FileTemplate]),
  );
  return a && b ? [a.probe, b.probe] : null;
}

function scoresOf(
  set: string,
  weights: readonly [number, number],
): { genuine: ScoreSet; impostor: ScoreSet } {
  const fused = new Map<string, Float32Array>();
  const those = pairs.filter(({ columns }) => columns.set === set);
  for (const { probe, reference } of those)
    for (const file of [probe[0]!, reference[0]!]) {
      const parts = vectors.get(file);
      if (parts) fused.set(file, joined(parts, weights));
    }
  const genuine = those.flatMap((pair): ScoredPair[] => {
    const [a, b] = [fused.get(pair.probe[0]!), fused.get(pair.reference[0]!)];
    const person = people.indexOf(pair.probe);
    return pair.same && a && b ? [{ score: cosineSimilarity(a, b), first: person, second: person }] : [];
  });
  const samples = [...fused].map(([file, vector]) => ({ person: people.indexOf([file]), vector }));
  return { genuine: scoreSet(genuine), impostor: allStrangers(samples) };
}

/** As embed() joins the networks of a pack. */
function joined(
  parts: readonly [Float32Array, Float32Array],
  weights: readonly [number, number],
): Float32Array {
  const values = parts.flatMap((part, i) => Array.from(part, (value) => value * weights[i]!));
  return normalise(Float32Array.from(values));
}
