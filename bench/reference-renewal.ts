// Measures what renewing references does to error rates, on LFW's photographs and NUAA's webcam captures of FACES_DIR:
// for people who come back, for strangers, and for strangers who keep trying until they pass (docs/recognition.md,
// Enrolment over time).
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CaptureEmbedding } from '../src/contract/face-template.ts';
import { compareEmbeddings } from '../src/evaluation/recognition/compare.ts';
import { averageEmbeddings } from '../src/evaluation/recognition/embed.ts';
import { operatingPoint, templatePackId } from '../src/evaluation/recognition/operating-point.ts';
import { mayRenew, renewedReference } from '../src/evaluation/recognition/renewal.ts';
import type { ReferenceTemplate } from '../src/evaluation/recognition/template.ts';
import { cosineSimilarity } from '../src/evaluation/recognition/vector.ts';
import { packCapture, readCapture } from '../src/featid/renewal.ts';
import { readCsv } from '../src/measurement/csv.ts';
import { embedFiles } from '../src/measurement/recognition/embedder.ts';
import { openEmbeddingCache } from '../src/measurement/recognition/embedding-cache.ts';
import { DEFAULT_PACK, readPack } from '../src/models/packs/read-pack.ts';

/** The number that src/storage/postgres/featids/renewals.ts keeps. */
const KEPT = 4;
/** Minimum captures of a person, so that some can renew and the last third can try. */
const MIN_CAPTURES = 4;
/** How often a stranger comes back with all captures. */
const ROUNDS = 3;
/** Maximum number of sets of one NUAA session's frames. */
const MAX_SETS = 24;
const TARGET_FMR = 1e-4;

const facesDir = resolve(process.env.FACES_DIR ?? '../shared/faces');
const modelsDir = resolve('build/models');
const pack = readPack(DEFAULT_PACK, modelsDir);
const at = operatingPoint(pack, TARGET_FMR);
/** Below this no number of frames matches, so most pairs need no further look. */
const least = Math.min(...at.thresholds.map(({ cosine }) => cosine));

interface Capture {
  readonly embedding: Float32Array;
  readonly frames: number;
}
interface Person {
  readonly name: string;
  /** In the order in which they come. */
  readonly captures: readonly Capture[];
}
type Guard = (probe: Capture, reference: ReferenceTemplate) => boolean;

const GUARDS: Readonly<Record<string, Guard>> = {
  'no renewal': () => false,
  'every capture that passes': passes,
  'as close to the enrolment as a pass requires': (probe, reference) =>
    passes(probe, reference) && passes(probe, { ...reference, renewals: [] }),
  'guarded (ships)': (probe, reference) => passes(probe, reference) && mayRenew(probe, reference, at),
};

const embeddings = await embedAll();
report('LFW, one photograph per capture', await lfw(1));
report('LFW, two photographs per capture', await lfw(2));
for (const frames of [1, 2, 5]) report(`NUAA, ${frames} frame(s) per capture`, await nuaa(frames));

function matches(probe: Capture, reference: ReferenceTemplate): boolean {
  const isNear = cosineSimilarity(probe.embedding, reference.embedding) >= least;
  return isNear && compareEmbeddings(probe, reference, at).match;
}

function passes(probe: Capture, reference: ReferenceTemplate): boolean {
  return matches(probe, renewedReference(reference));
}

function report(title: string, people: readonly Person[]): void {
  const rows = Object.entries(GUARDS).map(([guard, allowed]) => ({
    renewal: guard,
    ...measureReturns(people, allowed),
    ...measureStrangers(people, allowed),
  }));
  process.stdout.write(`\n${title}: ${people.length} people\n`);
  console.table(rows);
}

/**
 * People who come back: the captures between the first and the last third may renew, the last third tries, and so does
 * every stranger.
 */
function measureReturns(people: readonly Person[], allowed: Guard) {
  let [offered, renewed, genuine, rejected, impostor, matched] = [0, 0, 0, 0, 0, 0];
  for (const person of people) {
    if (person.captures.length < MIN_CAPTURES) continue;
    const until = Math.ceil((person.captures.length * 2) / 3);
    const between = person.captures.slice(1, until);
    const reference = renewWith(enrolled(person), between, allowed);
    offered += between.length;
    renewed += reference.taken;
    const whole = renewedReference(reference.template);
    for (const capture of person.captures.slice(until)) {
      genuine++;
      if (!matches(capture, whole)) rejected++;
    }
    for (const stranger of people) {
      if (stranger.name === person.name) continue;
      for (const capture of stranger.captures) {
        impostor++;
        if (matches(capture, whole)) matched++;
      }
    }
  }
  const fnmr = `${((100 * rejected) / genuine).toFixed(2)} % of ${genuine}`;
  return { renewed: `${renewed} of ${offered}`, FNMR: fnmr, FMR: `${matched} of ${impostor}` };
}

/**
 * Every person's enrolment against every stranger who comes back with all captures, and nobody else: the worst case.
 */
function measureStrangers(people: readonly Person[], allowed: Guard) {
  let [tries, before, after, entered] = [0, 0, 0, 0];
  for (const person of people) {
    const enrolment = enrolled(person);
    for (const stranger of people) {
      if (stranger.name === person.name) continue;
      tries += stranger.captures.length;
      const matching = countMatches(stranger, enrolment);
      if (matching === 0) continue;
      before += matching;
      const rounds = Array.from({ length: ROUNDS }, () => stranger.captures).flat();
      const { template, taken } = renewWith(enrolment, rounds, allowed);
      if (taken > 0) entered++;
      after += countMatches(stranger, renewedReference(template));
    }
  }
  return { 'strangers pass': `${before} of ${tries}`, after, 'pairs in which a stranger renewed': entered };
}

function countMatches(person: Person, reference: ReferenceTemplate): number {
  return person.captures.filter((capture) => matches(capture, reference)).length;
}

function renewWith(template: ReferenceTemplate, captures: readonly Capture[], allowed: Guard) {
  let taken = 0;
  let current = template;
  for (const capture of captures) {
    if (!allowed(capture, current)) continue;
    taken++;
    current = { ...current, renewals: [...(current.renewals ?? []), stored(capture)].slice(-KEPT) };
  }
  return { template: current, taken };
}

function enrolled({ captures }: Person): ReferenceTemplate {
  return { packId: templatePackId(pack), regions: {}, ...stored(captures[0]!) };
}

/** The capture as a FeatureID stores it. */
function stored(capture: Capture): CaptureEmbedding {
  return readCapture(packCapture(capture))!;
}

async function embedAll(): Promise<Map<string, Float32Array>> {
  const files = [
    ...(await lfwFiles()).map(([file]) => file),
    ...(await nuaaLooks()).flatMap((each) => each.files),
  ];
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'likeness', 'recognition');
  const cache = await openEmbeddingCache(folder, templatePackId(pack));
  const made = await embedFiles(files, { modelsDir, pack: DEFAULT_PACK, root: facesDir, jobs: 2, cache });
  const found = new Map<string, Float32Array>();
  for (const [file, template] of made) {
    if (template.status !== 'made') continue;
    const bytes = Buffer.from(template.embedding, 'base64');
    found.set(
      file,
      Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i)),
    );
  }
  return found;
}

async function lfwFiles(): Promise<[file: string, name: string][]> {
  const rows = await readCsv(join(facesDir, 'pairs/manifest.csv'), ['file', 'identity', 'set']);
  return rows
    .filter(({ values }) => values.set === 'lfw')
    .map(({ values }): [string, string] => [values.file!, values.identity!])
    .sort();
}

async function lfw(frames: number): Promise<Person[]> {
  const people = new Map<string, string[]>();
  for (const [file, name] of await lfwFiles())
    if (embeddings.has(file)) people.set(name, [...(people.get(name) ?? []), file]);
  return [...people].flatMap(([name, files]) => {
    const captures = runs(files, frames).map(captureOf);
    return captures.length > 0 ? [{ name, captures }] : [];
  });
}

/** Complete runs of `count` files. */
function runs(files: readonly string[], count: number): string[][] {
  const whole = Math.floor(files.length / count);
  return Array.from({ length: whole }, (_, i) => files.slice(i * count, (i + 1) * count));
}

/** Sessions in order; within each the photographs first, then its sequences. */
async function nuaa(frames: number): Promise<Person[]> {
  const people = new Map<string, Capture[]>();
  for (const { name, files } of await nuaaLooks()) {
    const usable = files.filter((file) => embeddings.has(file));
    const stride = Math.max(1, Math.floor(usable.length / frames));
    const sets = Array.from({ length: Math.min(stride, MAX_SETS) }, (_, from) =>
      Array.from({ length: frames }, (_, i) => usable[from + i * stride]).filter(
        (file) => file !== undefined,
      ),
    );
    const captures = sets.filter((files) => files.length === frames).map(captureOf);
    people.set(name, [...(people.get(name) ?? []), ...captures]);
  }
  return [...people].flatMap(([name, captures]) => (captures.length > 0 ? [{ name, captures }] : []));
}

async function nuaaLooks(): Promise<{ name: string; files: string[] }[]> {
  const looks = new Map<string, { name: string; files: string[] }>();
  for (const { values } of await readCsv(join(facesDir, 'spoof/manifest.csv'), [
    'file',
    'label',
    'identity',
  ])) {
    const { file = '', label, identity: name = '' } = values;
    const sequence = file.includes('/nuaa_seq/');
    if (label !== 'real' || !(sequence || file.includes('/nuaa/'))) continue;
    const key = `${name} ${file.split('/').at(-1)!.split('_')[3]} ${sequence}`;
    const look = looks.get(key) ?? { name, files: [] };
    look.files.push(file);
    looks.set(key, look);
  }
  return [...looks]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { name, files }]) => ({ name, files: files.sort() }));
}

function captureOf(files: readonly string[]): Capture {
  return { embedding: averageEmbeddings(files.map((file) => embeddings.get(file)!)), frames: files.length };
}
