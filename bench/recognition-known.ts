// The thresholds that keep NUAA's webcam strangers at a false match rate of 1 % and .1 %, by number of probe frames:
// the rows of bench/recognition-known.csv. Works from the templates that `likeness bench recognition` keeps: run that
// first on build/bench's pairs. Usage: tsx bench/recognition-known.ts CACHE_FOLDER
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { matchRate, thresholdAtFmr } from '../src/measurement/error-rates.ts';
import { comparePairs, type Group, groupOf } from '../src/measurement/recognition/compared.ts';
import type { FileTemplate } from '../src/measurement/recognition/embedding-cache.ts';
import {
  findPeople,
  readIdentities,
  readPairs,
  sampleName,
} from '../src/measurement/recognition/pairs-file.ts';
import { sampleOf } from '../src/measurement/recognition/samples.ts';

const FMRS = [1e-2, 1e-3];
const FRAMES = ['1', '2', '3', '5'];
const facesDir = resolve(process.env.FACES_DIR ?? '../shared/faces');
const cacheFolder = process.argv[2];
if (!cacheFolder) throw new Error('name the folder that bench recognition said its templates are kept in');

const pairs = (await readPairs('build/bench/recognition-pairs.csv')).filter(({ columns }) =>
  FRAMES.includes(columns.frames!),
);
const identities = await readIdentities(
  ['pairs/manifest.csv', 'spoof/manifest.csv'].map((path) => join(facesDir, path)),
);
const made = new Map<string, FileTemplate>();
const samples = new Map(
  pairs.flatMap(({ probe, reference }) =>
    [probe, reference].map((side) => [sampleName(side), sampleOf(side.map(templateOf))] as const),
  ),
);
const input = { pairs, samples, people: findPeople(pairs, identities), strangers: true };
const compared = comparePairs(input);

process.stdout.write('group,probe_frames,fmr,cosine\n');
for (const frames of FRAMES) {
  const nuaa = groupOfSet('nuaa', frames);
  const lfw = groupOfSet('lfw', frames);
  for (const fmr of FMRS) {
    // Rounded up, so that the rate is kept.
    const threshold = Math.ceil(1000 * thresholdAtFmr(nuaa.impostor, fmr)) / 1000;
    process.stdout.write(`nuaa (${nuaa.people.length} people),${frames},${fmr},${threshold.toFixed(3)}\n`);
    process.stderr.write(
      `  ${nuaa.impostor.count} comparisons; at this threshold FNMR of NUAA ${missed(nuaa, threshold)}, of LFW ${missed(lfw, threshold)}\n`,
    );
  }
}

/** Compared pairs of one set with so many frames a side. */
function groupOfSet(set: string, frames: string): Group {
  const those = compared.filter(({ pair }) => pair.columns.set === set && pair.columns.frames === frames);
  return groupOf('set', set, those, input);
}

function missed({ genuine }: Group, threshold: number): string {
  return `${(100 * (1 - matchRate(genuine, threshold))).toFixed(2)} % of ${genuine.count}`;
}

function templateOf(file: string): FileTemplate {
  const known = made.get(file);
  if (known) return known;
  const hash = createHash('sha256')
    .update(readFileSync(join(facesDir, file)))
    .digest('hex');
  const template = JSON.parse(readFileSync(join(cacheFolder!, `${hash}.json`), 'utf8')) as FileTemplate;
  made.set(file, template);
  return template;
}
