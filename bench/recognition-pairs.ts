// Writes the pairs behind the shipped calibration as the CSV files that `likeness bench recognition` reads: LFW's view
// 2 and NUAA's webcam captures of FACES_DIR, with 1 to 5 frames on either side.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readCsv } from '../src/lab/csv.ts';

const FRAMES = [1, 2, 3, 5];
/** More sets from one capture's frames would only repeat its people. */
const MAX_SETS = 24;
const facesDir = resolve(process.env.FACES_DIR ?? '../shared/faces');
const outDir = resolve('build/bench');

interface Side {
  readonly files: readonly string[];
  readonly identity: string;
  /** Frames of one capture are alike, so genuine pairs span two captures. */
  readonly capture: string;
}

const rows: string[] = [];
const identities = new Map<string, string>();
const add = (a: Side, b: Side, set: string) => {
  for (const { files, identity } of [a, b]) for (const file of files) identities.set(file, identity);
  const same = a.identity === b.identity ? 1 : 0;
  rows.push([a.files.join('|'), b.files.join('|'), same, set].join(','));
};

await addLfw();
await addNuaa();
await mkdir(outDir, { recursive: true });
await writeFile(join(outDir, 'recognition-pairs.csv'), `file_a,file_b,same,set\n${rows.join('\n')}\n`);
const people = [...identities].map((row) => row.join(','));
await writeFile(join(outDir, 'recognition-people.csv'), `file,identity\n${people.join('\n')}\n`);
process.stdout.write(`${rows.length} pairs in ${join(outDir, 'recognition-pairs.csv')}\n`);

/** Adds view 2 as it is; and, for several frames, photographs of one person taken at different times. */
async function addLfw(): Promise<void> {
  const pairs = await readCsv(join(facesDir, 'pairs/pairs.csv'), ['file_a', 'file_b', 'same', 'set']);
  const side = (file: string): Side => ({ files: [file], identity: file.split('/').at(-2)!, capture: file });
  for (const { values } of pairs)
    if (values.set === 'lfw') add(side(values.file_a!), side(values.file_b!), 'lfw');
  const people = new Map<string, string[]>();
  for (const { values } of await readCsv(join(facesDir, 'pairs/manifest.csv'), ['file', 'identity', 'set'])) {
    if (values.set !== 'lfw') continue;
    people.set(values.identity!, [...(people.get(values.identity!) ?? []), values.file!].sort());
  }
  const sidesOf = (frames: number) =>
    [...people].flatMap(([identity, files]) =>
      windows(files, frames, frames).map(
        (some): Side => ({ files: some, identity, capture: some.join('|') }),
      ),
    );
  for (const [few, many] of bothCounts())
    if (many > 1) addAll(sidesOf(few), few === many ? null : sidesOf(many), 'lfw');
}

/**
 * The frames of one session are one capture; genuine pairs span two sessions. Several frames of a probe are photographs
 * of a session, or of one of its sequences (sixteen frames within less than a second), as a clip's portraits would be.
 */
async function addNuaa(): Promise<void> {
  const looks = new Map<string, { identity: string; capture: string; sequence: boolean; files: string[] }>();
  const manifest = await readCsv(join(facesDir, 'spoof/manifest.csv'), ['file', 'label', 'identity']);
  for (const { values } of manifest) {
    const { file = '', label, identity = '' } = values;
    const sequence = file.includes('/nuaa_seq/');
    if (label !== 'real' || !(sequence || file.includes('/nuaa/'))) continue;
    const session = file.split('/').at(-1)!.split('_')[3]!;
    const key = `${identity} ${session} ${sequence}`;
    const look = looks.get(key) ?? { identity, capture: `${identity} ${session}`, sequence, files: [] };
    look.files.push(file);
    looks.set(key, look);
  }
  const sidesOf = (frames: number) =>
    [...looks.values()].flatMap(({ identity, capture, sequence, files }) =>
      // Single frames of a sequence are one look, and would be counted sixteen times.
      sequence && frames === 1
        ? []
        : spread(files.sort(), frames).map((some): Side => ({ files: some, identity, capture })),
    );
  for (const [few, many] of bothCounts()) addAll(sidesOf(few), few === many ? null : sidesOf(many), 'nuaa');
}

/** Every two numbers of frames, the smaller first, because a cosine is symmetric. */
function bothCounts(): [few: number, many: number][] {
  return FRAMES.flatMap((few) =>
    FRAMES.filter((many) => many >= few).map((many): [number, number] => [few, many]),
  );
}

/**
 * Adds the genuine pairs of different captures without a common file, and one impostor pair per side, so that
 * --all-strangers sees it. Pairs every two of `sides`, or each of them with each of `others`.
 */
function addAll(sides: readonly Side[], others: readonly Side[] | null, set: string): void {
  for (const [i, a] of sides.entries()) {
    const those = others ?? sides.slice(i + 1);
    for (const b of those)
      if (
        a.identity === b.identity &&
        a.capture !== b.capture &&
        !a.files.some((file) => b.files.includes(file))
      )
        add(a, b, set);
    const other = (others ?? sides).find((b) => b.identity !== a.identity);
    if (other) add(a, other, set);
  }
  // Make sure that the larger sides are seen too.
  for (const b of others ?? []) {
    const other = sides.find((a) => a.identity !== b.identity);
    if (other) add(other, b, set);
  }
}

/** Runs of `count` files, `step` apart. */
function windows(files: readonly string[], count: number, step: number): string[][] {
  const runs: string[][] = [];
  for (let from = 0; from + count <= files.length; from += step) runs.push(files.slice(from, from + count));
  return runs;
}

/** Sets of `count` evenly spaced files, like a clip's portraits; at most MAX_SETS per capture. */
function spread(files: readonly string[], count: number): string[][] {
  if (count === 1) return files.map((file) => [file]);
  const sets: string[][] = [];
  for (let stride = Math.floor((files.length - 1) / (count - 1)); stride >= 1; stride--)
    for (let from = 0; from + stride * (count - 1) < files.length; from++)
      sets.push(Array.from({ length: count }, (_, i) => files[from + i * stride]!));
  const every = Math.max(1, Math.ceil(sets.length / MAX_SETS));
  return sets.filter((_, i) => i % every === 0);
}
