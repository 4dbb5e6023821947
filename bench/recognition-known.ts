// The thresholds that keep NUAA's webcam strangers at a false match rate of 1 % and .1 %, by number of probe frames and
// whatever the number of frames in the reference: the rows of bench/recognition-known.csv, but for the laboratory's own.
// Works from the templates that `likeness bench recognition` keeps: run that first on build/bench's pairs.
// Usage: tsx bench/recognition-known.ts CACHE_FOLDER
import { cosineSimilarity } from '../src/evaluation/recognition/vector.ts';
import { matchRate, thresholdAtFmr } from '../src/measurement/error-rates.ts';
import { comparePairs } from '../src/measurement/recognition/compared.ts';
import type { FileTemplate } from '../src/measurement/recognition/embedding-cache.ts';
import { findPeople, readPairs, sampleName } from '../src/measurement/recognition/pairs-file.ts';
import { sampleOf } from '../src/measurement/recognition/samples.ts';
import { type ScoredPair, type ScoreSet, scoreSet } from '../src/measurement/score-set.ts';
import { readFacesIdentities, readKeptTemplate } from './kept-templates.ts';

const FMRS = [1e-2, 1e-3];
const FRAMES = ['1', '2', '3', '5'];
const cacheFolder = process.argv[2];
if (!cacheFolder) throw new Error('name the folder that bench recognition said its templates are kept in');

const pairs = (await readPairs('build/bench/recognition-pairs.csv')).filter(({ columns }) =>
  FRAMES.includes(columns.frames!),
);
const made = new Map<string, FileTemplate>();
const samples = new Map(
  pairs.flatMap(({ probe, reference }) =>
    [probe, reference].map((side) => [sampleName(side), sampleOf(side.map(templateOf))] as const),
  ),
);
const people = findPeople(pairs, await readFacesIdentities());
const compared = comparePairs({ pairs, samples, people, strangers: false });

const facesOf = new Map(FRAMES.map((frames) => [frames, nuaaFaces(frames)]));

process.stdout.write('group,probe_frames,fmr,cosine\n');
for (const frames of FRAMES) {
  const genuine = ['nuaa', 'lfw'].map((set) => ({ set, scores: genuineOf(set, frames) }));
  for (const fmr of FMRS) {
    const asked = FRAMES.map((reference) => thresholdAtFmr(strangers(frames, reference), fmr));
    // Rounded up, so that the rate is kept.
    const threshold = Math.ceil(1000 * Math.max(...asked)) / 1000;
    process.stdout.write(`nuaa (7 people),${frames},${fmr},${threshold.toFixed(3)}\n`);
    const rates = FRAMES.map((reference) => percent(matchRate(strangers(frames, reference), threshold)));
    const missed = genuine.map(
      ({ set, scores }) => `${set} ${percent(1 - matchRate(scores, threshold))} of ${scores.count}`,
    );
    process.stderr.write(
      `  FMR against references of ${FRAMES.join(', ')} frames: ${rates.join(', ')}; FNMR: ${missed.join(', ')}\n`,
    );
  }
}

interface Face {
  readonly person: number;
  readonly probe: Float32Array;
  readonly stored: Float32Array;
}

/** Every sample of NUAA with so many frames. */
function nuaaFaces(frames: string): Face[] {
  const sides = pairs
    .filter(({ columns }) => columns.set === 'nuaa' && columns.frames === frames)
    .flatMap(({ probe, reference }) => [probe, reference]);
  return [...new Map(sides.map((side) => [sampleName(side), side])).values()].flatMap((side) => {
    const sample = samples.get(sampleName(side));
    return sample ? [{ person: people.indexOf(side), ...sample }] : [];
  });
}

/** Probes of so many frames against references of so many, all of different people. */
function strangers(probeFrames: string, referenceFrames: string): ScoreSet {
  const scored: ScoredPair[] = [];
  for (const { person: first, probe } of facesOf.get(probeFrames)!)
    for (const { person: second, stored } of facesOf.get(referenceFrames)!)
      if (first !== second) scored.push({ score: cosineSimilarity(probe, stored), first, second });
  return scoreSet(scored);
}

function genuineOf(set: string, frames: string): ScoreSet {
  return scoreSet(
    compared.filter(({ pair }) => pair.same && pair.columns.set === set && pair.columns.frames === frames),
  );
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(2)} %`;
}

function templateOf(file: string): FileTemplate {
  const known = made.get(file);
  if (known) return known;
  const template = readKeptTemplate(cacheFolder!, file);
  made.set(file, template);
  return template;
}
