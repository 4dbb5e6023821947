// What several references of one person, and several frames of a probe, are worth: FNMR at fixed FMRs on LFW's open
// people. Works from the templates that `likeness bench recognition` keeps: run that first on build/bench's pairs.
// Usage: tsx bench/joint-evidence.ts CACHE_FOLDER
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { averageEmbeddings } from '../src/evaluation/recognition/embed.ts';
import { cosineSimilarity } from '../src/evaluation/recognition/vector.ts';
import { readCsv } from '../src/measurement/csv.ts';
import { matchRate, thresholdAtFmr } from '../src/measurement/error-rates.ts';
import type { FileTemplate } from '../src/measurement/recognition/embedding-cache.ts';
import { sampleOf } from '../src/measurement/recognition/samples.ts';
import { type ScoredPair, scoreSet } from '../src/measurement/score-set.ts';

const facesDir = resolve(process.env.FACES_DIR ?? '../shared/faces');
const cacheFolder = process.argv[2];
if (!cacheFolder) throw new Error('name the folder that bench recognition said its templates are kept in');
const FMRS = [1e-3, 1e-4];
const MOST = 4;

const people = await readPeople(cacheFolder);
console.log(
  `| references | ways of joining | ${FMRS.map((fmr) => `FNMR at FMR ${fmr}`).join(' | ')} | probes |`,
);
console.log('|---|---|---|---|---|');
for (let references = 1; references < MOST; references++) {
  const rows = new Map<string, (probe: Float32Array, of: readonly Float32Array[]) => number>([
    [
      'best of the single scores',
      (probe, of) => Math.max(...of.map((each) => cosineSimilarity(probe, each))),
    ],
    [
      'mean of the single scores',
      (probe, of) => of.reduce((sum, each) => sum + cosineSimilarity(probe, each), 0) / of.length,
    ],
    ['one averaged reference', (probe, of) => cosineSimilarity(probe, averageEmbeddings(of))],
  ]);
  for (const [name, join] of rows)
    if (references > 1 || name.startsWith('one')) measure(references, name, join);
}

/** People with at least MOST photographs: the first ones are references, the last is the probe. */
async function readPeople(folder: string): Promise<Float32Array[][]> {
  const files = new Map<string, Float32Array[]>();
  for (const { values } of await readCsv(join(facesDir, 'pairs/manifest.csv'), ['file', 'identity', 'set'])) {
    if (values.set !== 'lfw') continue;
    const bytes = readFileSync(join(facesDir, values.file!));
    const kept = join(folder, `${createHash('sha256').update(bytes).digest('hex')}.json`);
    const sample = sampleOf([JSON.parse(readFileSync(kept, 'utf8')) as FileTemplate]);
    if (sample) files.set(values.identity!, [...(files.get(values.identity!) ?? []), sample.stored]);
  }
  return [...files.values()].filter((vectors) => vectors.length >= MOST);
}

function measure(
  references: number,
  name: string,
  join: (probe: Float32Array, of: readonly Float32Array[]) => number,
): void {
  const genuine: ScoredPair[] = [];
  const impostor: ScoredPair[] = [];
  for (const [a, vectors] of people.entries()) {
    const of = vectors.slice(0, references);
    for (const probe of vectors.slice(MOST - 1))
      genuine.push({ score: join(probe, of), first: a, second: a });
    for (const [b, others] of people.entries())
      if (a !== b) impostor.push({ score: join(others[MOST - 1]!, of), first: a, second: b });
  }
  const [own, strangers] = [scoreSet(genuine), scoreSet(impostor)];
  const rates = FMRS.map(
    (fmr) => `${(100 * (1 - matchRate(own, thresholdAtFmr(strangers, fmr)))).toFixed(2)} %`,
  );
  console.log(`| ${references} | ${name} | ${rates.join(' | ')} | ${genuine.length} |`);
}
