// Measures what POST /v1/featids does with LFW's photographs of FACES_DIR: how many it accepts, what the refused ones
// would have cost, and the error rates of comparisons with one picture (docs/recognition.md, Pictures).
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { trackFaces } from '../src/evaluation/face/track.ts';
import { assessFrame } from '../src/evaluation/quality/frame-quality.ts';
import { averageEmbeddings } from '../src/evaluation/recognition/embed.ts';
import { operatingPoint, templatePackId } from '../src/evaluation/recognition/operating-point.ts';
import { thresholdFor } from '../src/evaluation/recognition/thresholds.ts';
import { cosineSimilarity } from '../src/evaluation/recognition/vector.ts';
import { DEFAULT_SETTINGS } from '../src/evaluation/settings.ts';
import { templateOfPicture } from '../src/evaluation/template-of-picture.ts';
import { openSource } from '../src/evaluation/video/source.ts';
import { decodeStill } from '../src/evaluation/video/still.ts';
import { bootstrapInterval, drawPeople } from '../src/measurement/bootstrap.ts';
import { readCsv } from '../src/measurement/csv.ts';
import { embedFiles } from '../src/measurement/recognition/embedder.ts';
import { openEmbeddingCache } from '../src/measurement/recognition/embedding-cache.ts';
import { loadModels, type Models } from '../src/models/load.ts';
import { DEFAULT_PACK, readPack } from '../src/models/packs/read-pack.ts';

const TARGET_FMR = 1e-4;
const PROBE_FRAMES = [1, 2, 3, 5];

const facesDir = resolve(process.env.FACES_DIR ?? '../shared/faces');
const modelsDir = resolve('build/models');
const pack = readPack(DEFAULT_PACK, modelsDir);
const at = operatingPoint(pack, TARGET_FMR);

interface Photograph {
  readonly file: string;
  readonly person: number;
  /** Of the central face, whatever its quality. */
  readonly embedding: Float32Array;
  /** The verdict of POST /v1/featids. */
  readonly said: string;
  readonly flaws: readonly string[];
  /** Of the only face in it; null if there is none, or more than one. */
  readonly measured: Measured | null;
}

/** The measures that POST /v1/featids limits. */
interface Measured {
  readonly eyesPx: number;
  readonly yaw: number;
  readonly sharpness: number;
}

const photographs = await readAll();
const of = (test: (photograph: Photograph) => boolean) => photographs.filter(test);
const taken = of(({ said }) => said === 'made');

process.stdout.write(`\noutcomes of ${photographs.length} photographs\n`);
console.table(Object.fromEntries(counts(photographs.map(({ said }) => said))));
process.stdout.write(
  '\none picture as the reference, one photograph per probe, at the threshold for 1 and 1 frames\n',
);
console.table([
  row('all', photographs),
  row('accepted', taken),
  ...[...counts(photographs.map(({ said }) => said))].flatMap(([said]) =>
    said === 'made'
      ? []
      : [
          row(
            `refused: ${said}`,
            of((each) => each.said === said),
          ),
        ],
  ),
  row(
    'accepted, no flaw',
    of(({ said, flaws }) => said === 'made' && flaws.length === 0),
  ),
  ...['turned', 'blurred', 'occluded', 'dark', 'burnt_out'].map((flaw) =>
    row(
      `accepted, ${flaw}`,
      of(({ said, flaws }) => said === 'made' && flaws.includes(flaw)),
    ),
  ),
]);
process.stdout.write('\nwhat the limits are based on, in all photographs of one face\n');
console.table([
  ...bins('distance between the eyes, px', [33, 37, 40, Number.POSITIVE_INFINITY], ({ eyesPx }) => eyesPx),
  ...bins('fine detail', [0, 0.06, 0.075, Number.POSITIVE_INFINITY], ({ sharpness }) => sharpness),
  ...bins('apparent yaw', [0, 0.3, 0.5, Number.POSITIVE_INFINITY], ({ yaw }) => Math.abs(yaw)),
]);
process.stdout.write('\naccepted pictures, the mean of several photographs per probe\n');
console.table(PROBE_FRAMES.map((frames) => row(`${frames} per probe`, taken, frames)));

/**
 * FNMR and FMR of these as references, compared with every other photograph, or mean of `frames` photographs, of
 * everybody.
 */
function row(what: string, references: readonly Photograph[], frames = 1) {
  const threshold = thresholdFor(at, frames, 1);
  const genuine: { person: number; rejected: boolean }[] = [];
  let [impostors, accepted] = [0, 0];
  const probes = probesOf(frames);
  for (const reference of references)
    for (const probe of probes) {
      if (probe.files.has(reference.file)) continue;
      const matches = cosineSimilarity(probe.embedding, reference.embedding) >= threshold;
      if (probe.person === reference.person) {
        genuine.push({ person: probe.person, rejected: !matches });
        continue;
      }
      impostors += 1;
      if (matches) accepted += 1;
    }
  const people = [...new Set(genuine.map(({ person }) => person))];
  const fnmrOf = (weights: Float64Array | null) => {
    let [all, rejected] = [0, 0];
    for (const each of genuine) {
      const weight = weights ? weights[each.person]! : 1;
      all += weight;
      if (each.rejected) rejected += weight;
    }
    return rejected / all;
  };
  const fnmr = fnmrOf(null);
  const interval =
    genuine.length > 0 ? bootstrapInterval(drawPeople(people), fnmr, fnmrOf, people.length) : [];
  return {
    what,
    threshold: threshold.toFixed(3),
    pictures: references.length,
    genuine: genuine.length,
    people: people.length,
    'FNMR %': (100 * fnmr).toFixed(2),
    'of 95 %': interval.map((end) => (100 * end).toFixed(1)).join('–'),
    impostors,
    FMR: impostors > 0 ? (accepted / impostors).toExponential(1) : '',
  };
}

/** One row for each range between two limits, including the lower one. */
function bins(what: string, limits: readonly number[], figureOf: (measured: Measured) => number) {
  return limits.slice(1).map((to, i) => {
    const from = limits[i]!;
    const inside = ({ measured }: Photograph) =>
      measured !== null && figureOf(measured) >= from && figureOf(measured) < to;
    return row(`${what}: ${from} to ${to}`, of(inside));
  });
}

function probesOf(frames: number) {
  const people = [...new Set(photographs.map(({ person }) => person))];
  const byPerson = people.map((person) => [person, of((each) => each.person === person)] as const);
  return byPerson.flatMap(([person, those]) =>
    Array.from({ length: Math.floor(those.length / frames) }, (_, i) => {
      const some = those.slice(i * frames, (i + 1) * frames);
      const embeddings = some.map(({ embedding }) => embedding);
      return {
        person,
        files: new Set(some.map(({ file }) => file)),
        embedding: averageEmbeddings(embeddings),
      };
    }),
  );
}

function counts(values: readonly string[]): [string, number][] {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return [...found].sort((a, b) => b[1] - a[1]);
}

async function measure(path: string, models: Models): Promise<Measured | null> {
  const { video } = DEFAULT_SETTINGS;
  const source = await openSource(path, video.tempDir);
  try {
    const still = await decodeStill(source, video);
    if (still.status === 'undecodable') return null;
    const [observation] = await trackFaces(models, [still.frame]);
    if (!observation?.face || observation.faceCount > 1) return null;
    const { eyeDistancePx: eyesPx, yaw } = observation.face;
    return { eyesPx, yaw, sharpness: assessFrame(still.frame, observation.face).sharpness };
  } finally {
    await source.handle.close();
  }
}

async function readAll(): Promise<Photograph[]> {
  const rows = (await readCsv(join(facesDir, 'pairs/manifest.csv'), ['file', 'identity', 'set'])).filter(
    ({ values }) => values.set === 'lfw',
  );
  const files = rows.map(({ values }) => values.file!);
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'likeness', 'recognition');
  const cache = await openEmbeddingCache(folder, templatePackId(pack));
  const made = await embedFiles(files, { modelsDir, pack: DEFAULT_PACK, root: facesDir, jobs: 1, cache });
  const models = await loadModels({ modelsDir, threads: 1, packs: [pack] });
  const names = [...new Set(rows.map(({ values }) => values.identity!))];
  const read: Photograph[] = [];
  for (const { values } of rows) {
    const [file, central] = [values.file!, made.get(values.file!)];
    if (central?.status !== 'made') continue;
    const picture = await templateOfPicture(join(facesDir, file), models);
    const bytes = Buffer.from(central.embedding, 'base64');
    read.push({
      file,
      person: names.indexOf(values.identity!),
      embedding: Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i)),
      said: picture.status === 'made' ? 'made' : picture.fault,
      flaws: picture.status === 'made' ? picture.quality.flaws : [],
      measured: await measure(join(facesDir, file), models),
    });
  }
  await models.close();
  return read;
}
