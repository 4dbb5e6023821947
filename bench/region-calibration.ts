// Fits what the likeness regions need from labelled pairs: the mean descriptors and the thresholds per region.
// Prints measures as a table and, with --write, renews mean-descriptors.ts and default-calibration.ts.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { REGION_NAMES, type RegionName } from '../src/contract/regions.ts';
import { trackFaces } from '../src/evaluation/face/track.ts';
import { cosineSimilarity, normalise } from '../src/evaluation/recognition/vector.ts';
import { DESCRIPTOR_SIZE, poolRegions } from '../src/evaluation/regions/describe.ts';
import { loadModels } from '../src/models/load.ts';

/** Share of strangers that a region may pass. */
const TARGET_FMR = 0.05;
const projectRoot = process.cwd();
const facesDir = resolve(projectRoot, process.env.FACES_DIR ?? '../shared/faces');
const modelsDir = resolve(projectRoot, process.env.MODELS_DIR ?? 'build/models');

interface Pair {
  readonly fileA: string;
  readonly fileB: string;
  readonly same: boolean;
}
type Pooled = Partial<Record<RegionName, Float32Array>>;

const pairs = await readPairs();
const pooled = await poolAll([...new Set(pairs.flatMap((pair) => [pair.fileA, pair.fileB]))]);
const step = quantiseMeans();
centre(step);
const thresholds = {} as Record<RegionName, number>;
let sum = 0;
for (const name of REGION_NAMES) {
  const genuine: number[] = [];
  const impostor: number[] = [];
  for (const pair of pairs) {
    const a = pooled.get(pair.fileA)?.[name];
    const b = pooled.get(pair.fileB)?.[name];
    if (a && b) (pair.same ? genuine : impostor).push(cosineSimilarity(a, b));
  }
  const strangers = allStrangers(name);
  thresholds[name] = Math.ceil(strangers[Math.floor(strangers.length * (1 - TARGET_FMR))]! * 1000) / 1000;
  const passed = genuine.filter((score) => score >= thresholds[name]).length / genuine.length;
  const area = areaUnderCurve(genuine, impostor);
  sum += area;
  console.log(
    `${name.padEnd(16)} AUC ${area.toFixed(3)}  threshold ${thresholds[name].toFixed(3)}  genuine passing ${(100 * passed).toFixed(1)} %  of ${genuine.length}, strangers ${strangers.length}`,
  );
}
console.log(`mean AUC ${(sum / REGION_NAMES.length).toFixed(4)}, files ${pooled.size}`);
if (process.argv.includes('--write')) await writeResults();

async function readPairs(): Promise<Pair[]> {
  const text = await readFile(join(facesDir, 'pairs/pairs.csv'), 'utf8');
  const rows = text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','));
  return rows
    .filter(([, , , set]) => set === 'lfw')
    .map(([fileA, fileB, same]) => ({ fileA: fileA!, fileB: fileB!, same: same === '1' }));
}

async function poolAll(files: readonly string[]): Promise<Map<string, Pooled>> {
  const models = await loadModels({ modelsDir, threads: 1 });
  const results = new Map<string, Pooled>();
  for (const [done, file] of files.entries()) {
    const { data, info } = await sharp(join(facesDir, file))
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const frame = { timeMs: 0, width: info.width, height: info.height, rgb: new Uint8Array(data) };
    const [observation] = await trackFaces(models, [frame]);
    if (observation?.face) results.set(file, await poolRegions(models, frame, observation.face));
    if (done % 500 === 0) console.error(`${done} of ${files.length}`);
  }
  await models.close();
  return results;
}

/** Means as they are stored: one byte a value. */
function quantiseMeans(): { step: number; bytes: Uint8Array } {
  const means = new Float32Array(REGION_NAMES.length * DESCRIPTOR_SIZE);
  for (const [index, name] of REGION_NAMES.entries()) {
    const seen = [...pooled.values()].flatMap((regions) => regions[name] ?? []);
    for (const descriptor of seen)
      for (let i = 0; i < DESCRIPTOR_SIZE; i++)
        means[index * DESCRIPTOR_SIZE + i]! += descriptor[i]! / seen.length;
  }
  const step = means.reduce((most, value) => Math.max(most, value), 0) / 255;
  return { step, bytes: Uint8Array.from(means, (value) => Math.round(value / step)) };
}

function centre({ step, bytes }: { step: number; bytes: Uint8Array }): void {
  for (const regions of pooled.values())
    for (const [index, name] of REGION_NAMES.entries()) {
      const descriptor = regions[name];
      if (!descriptor) continue;
      for (let i = 0; i < DESCRIPTOR_SIZE; i++)
        descriptor[i] = descriptor[i]! - bytes[index * DESCRIPTOR_SIZE + i]! * step;
      normalise(descriptor);
    }
}

/** Scores of one picture of each person against one of each other, ascending. */
function allStrangers(name: RegionName): number[] {
  const people = new Map<string, Float32Array>();
  for (const [file, regions] of pooled) {
    const person = file.split('/').at(-2)!;
    if (regions[name] && !people.has(person)) people.set(person, regions[name]);
  }
  const faces = [...people.values()];
  const scores: number[] = [];
  for (let i = 0; i < faces.length; i++)
    for (let j = i + 1; j < faces.length; j++) scores.push(cosineSimilarity(faces[i]!, faces[j]!));
  return scores.sort((a, b) => a - b);
}

/** Probability that a genuine pair scores above a stranger's. */
function areaUnderCurve(genuine: readonly number[], impostor: readonly number[]): number {
  let wins = 0;
  for (const g of genuine) for (const i of impostor) wins += g > i ? 1 : g === i ? 0.5 : 0;
  return wins / (genuine.length * impostor.length);
}

async function writeResults(): Promise<void> {
  const folder = join(projectRoot, 'src/evaluation/regions');
  const means = await readFile(join(folder, 'mean-descriptors.ts'), 'utf8');
  const text = Buffer.from(step.bytes).toString('base64');
  const renewed = means
    .replace(/const STEP = .*;/, `const STEP = ${step.step};`)
    .replace(/const QUANTISED =\s*'.*';/, `const QUANTISED = '${text}';`);
  await writeFile(join(folder, 'mean-descriptors.ts'), renewed);
  const calibration = await readFile(join(folder, 'default-calibration.ts'), 'utf8');
  const entries = REGION_NAMES.map((name) => `    ${name}: ${thresholds[name]},`).join('\n');
  const fitted = calibration.replace(/thresholds: \{[^}]*\}/, `thresholds: {\n${entries}\n  }`);
  await writeFile(join(folder, 'default-calibration.ts'), fitted);
}
