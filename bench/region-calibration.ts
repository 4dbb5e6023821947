// The likeness regions: fits their mean descriptors (--write updates mean-descriptors.ts; then raise REGIONS_REVISION)
// and measures their locality as FeatureIDs store them: when another person's region is pasted into a face, that
// region's score must drop most. Thresholds and AUC come from `likeness bench recognition`.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { REGION_NAMES, type RegionName } from '../src/contract/regions.ts';
import type { ObservedFace } from '../src/evaluation/face/observation.ts';
import { trackFaces } from '../src/evaluation/face/track.ts';
import { cosineSimilarity } from '../src/evaluation/recognition/vector.ts';
import type { RegionDescriptors } from '../src/evaluation/regions/compare.ts';
import { DESCRIPTOR_SIZE, describeRegions, poolRegions } from '../src/evaluation/regions/describe.ts';
import { regionAlignment, regionBox } from '../src/evaluation/regions/placement.ts';
import type { Frame } from '../src/evaluation/video/frame.ts';
import { packTemplate, unpackTemplate } from '../src/featid/template.ts';
import { wilsonInterval } from '../src/lab/intervals.ts';
import { readPairs } from '../src/lab/recognition/pairs-file.ts';
import { loadModels, type Models } from '../src/models/load.ts';

/** Number of faces to paste into; each gets every region of a stranger in turn. */
const PASTED_FACES = 40;
const projectRoot = process.cwd();
const facesDir = resolve(projectRoot, process.env.FACES_DIR ?? '../shared/faces');
const modelsDir = resolve(projectRoot, 'build/models');

const pairs = (await readPairs(join(facesDir, 'pairs/pairs.csv'))).filter(
  ({ columns }) => columns.set === 'lfw',
);
const models = await loadModels({ modelsDir, threads: 1 });
await measureLocality();
if (process.argv.includes('--write')) await writeMeans(models);
await models.close();

interface Face {
  readonly frame: Frame;
  readonly face: ObservedFace;
}

async function readFace(file: string): Promise<Face | null> {
  const { data, info } = await sharp(join(facesDir, file))
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const frame = { timeMs: 0, width: info.width, height: info.height, rgb: new Uint8Array(data) };
  const [observation] = await trackFaces(models, [frame], { prefer: 'central' });
  return observation?.face ? { frame, face: observation.face } : null;
}

/** Descriptors as read back from a FeatureID. */
async function stored({ frame, face }: Face): Promise<RegionDescriptors> {
  const { descriptors: regions } = await describeRegions(models, frame, face);
  return unpackTemplate('', packTemplate({ packId: '', embedding: Float32Array.of(1), regions, frames: 1 }))!
    .regions;
}

async function measureLocality(): Promise<void> {
  const impostors = pairs.filter((pair) => !pair.same);
  const every = Math.floor(impostors.length / PASTED_FACES);
  const hits = new Map<RegionName, number>(REGION_NAMES.map((name) => [name, 0]));
  let trials = 0;
  for (let i = 0; i < impostors.length; i += every) {
    const [a, b] = [await readFace(impostors[i]!.probe[0]!), await readFace(impostors[i]!.reference[0]!)];
    if (!a || !b) continue;
    const before = await stored(a);
    if (Object.keys(before).length < REGION_NAMES.length) continue;
    trials++;
    for (const name of REGION_NAMES) {
      const after = await stored({ face: a.face, frame: pasted(a, b, name) });
      const scores = REGION_NAMES.map((region) =>
        cosineSimilarity(before[region]!, after[region] ?? before[region]!),
      );
      const lowest = REGION_NAMES[scores.indexOf(Math.min(...scores))]!;
      if (lowest === name) hits.set(name, hits.get(name)! + 1);
    }
  }
  const all = [...hits.values()].reduce((sum, count) => sum + count, 0);
  const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`;
  for (const [name, count] of hits) console.log(`${name.padEnd(16)} ${percent(count / trials)}`);
  const [low, high] = wilsonInterval(all, trials * REGION_NAMES.length);
  console.log(
    `locality ${percent(all / (trials * REGION_NAMES.length))} (${percent(low)} to ${percent(high)}) of ${trials} faces × ${REGION_NAMES.length} regions`,
  );
}

/** A's picture with B's region in place of A's own, blended towards the edge of its box. */
function pasted(a: Face, b: Face, name: RegionName): Frame {
  const rgb = Uint8Array.from(a.frame.rgb);
  const [mapA, mapB] = [regionAlignment(a.face.landmarks), regionAlignment(b.face.landmarks)];
  const [boxA, boxB] = [regionBox(a.face.landmarks, name, mapA), regionBox(b.face.landmarks, name, mapB)];
  const { width, height } = a.frame;
  const weights = new Map<number, { weight: number; from: number }>();
  const step = 0.25;
  for (let v = boxA.top; v < boxA.bottom; v += step)
    for (let u = boxA.left; u < boxA.right; u += step) {
      const [s, t] = [(u - boxA.left) / (boxA.right - boxA.left), (v - boxA.top) / (boxA.bottom - boxA.top)];
      const x = Math.floor(mapA.a * u - mapA.b * v + mapA.tx);
      const y = Math.floor(mapA.b * u + mapA.a * v + mapA.ty);
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const [ub, vb] = [boxB.left + s * (boxB.right - boxB.left), boxB.top + t * (boxB.bottom - boxB.top)];
      const xb = Math.floor(mapB.a * ub - mapB.b * vb + mapB.tx);
      const yb = Math.floor(mapB.b * ub + mapB.a * vb + mapB.ty);
      if (xb < 0 || yb < 0 || xb >= b.frame.width || yb >= b.frame.height) continue;
      // Full weight in the inner 70 % of the box, none at its edge.
      const edge = Math.max(Math.abs(2 * s - 1), Math.abs(2 * t - 1));
      weights.set((y * width + x) * 3, {
        weight: Math.min(1, (1 - edge) / 0.3),
        from: (yb * b.frame.width + xb) * 3,
      });
    }
  for (const [at, { weight, from }] of weights)
    for (let channel = 0; channel < 3; channel++)
      rgb[at + channel] = Math.round(
        a.frame.rgb[at + channel]! * (1 - weight) + b.frame.rgb[from + channel]! * weight,
      );
  return { ...a.frame, rgb };
}

/** Writes the means over every photograph, stored as one byte per value. */
async function writeMeans(models: Models): Promise<void> {
  const means = new Float32Array(REGION_NAMES.length * DESCRIPTOR_SIZE);
  const seen = new Array<number>(REGION_NAMES.length).fill(0);
  const files = [...new Set(pairs.flatMap(({ probe, reference }) => [...probe, ...reference]))];
  for (const file of files) {
    const found = await readFace(file);
    const pooled = found ? await poolRegions(models, found.frame, found.face) : {};
    for (const [index, name] of REGION_NAMES.entries()) {
      const descriptor = pooled[name];
      if (!descriptor) continue;
      seen[index]!++;
      for (let i = 0; i < DESCRIPTOR_SIZE; i++) means[index * DESCRIPTOR_SIZE + i]! += descriptor[i]!;
    }
  }
  for (let i = 0; i < means.length; i++) means[i]! /= seen[Math.floor(i / DESCRIPTOR_SIZE)]!;
  const step = means.reduce((most, value) => Math.max(most, value), 0) / 255;
  const text = Buffer.from(Uint8Array.from(means, (value) => Math.round(value / step))).toString('base64');
  const path = join(projectRoot, 'src/evaluation/regions/mean-descriptors.ts');
  const renewed = (await readFile(path, 'utf8'))
    .replace(/const STEP = .*;/, `const STEP = ${step};`)
    .replace(/const QUANTISED =\s*'.*';/, `const QUANTISED = '${text}';`);
  await writeFile(path, renewed);
}
