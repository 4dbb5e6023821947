// The labelled pairs of a measurement of recognition, and who is in which file.
import { isAbsolute, join, normalize } from 'node:path';
import { InputError, readCsv } from '../csv.ts';

/** One labelled comparison. */
export interface LabelledPair {
  /** Frames of the probe; several are averaged. Paths below the root. */
  readonly probe: readonly string[];
  readonly reference: readonly string[];
  readonly same: boolean;
  /** Every further column of the file. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Between the frames of one side: not a character that file names have. */
const BETWEEN_FRAMES = '|';
const MAX_FRAMES = 64;
const TRUE = new Set(['1', 'true', 'yes']);
const FALSE = new Set(['0', 'false', 'no']);

/**
 * Reads pairs: columns file_a, file_b, same, and any others. A side may name several frames of one capture, joined by
 * `|`: their embeddings are averaged, as those of a video are.
 * @throws InputError naming the line
 */
export async function readPairs(path: string): Promise<LabelledPair[]> {
  const rows = await readCsv(path, ['file_a', 'file_b', 'same']);
  return rows.map(({ line, values }) => {
    const { file_a: a = '', file_b: b = '', same = '', ...columns } = values;
    const truth = same.toLowerCase();
    if (!TRUE.has(truth) && !FALSE.has(truth))
      throw new InputError(`${path}, line ${line}: same is "${same}", neither 1 nor 0`);
    const where = `${path}, line ${line}`;
    return { probe: framesOf(a, where), reference: framesOf(b, where), same: TRUE.has(truth), columns };
  });
}

function framesOf(side: string, where: string): string[] {
  const files = side.split(BETWEEN_FRAMES).map((file) => file.trim());
  if (files.length > MAX_FRAMES) throw new InputError(`${where}: more than ${MAX_FRAMES} frames on one side`);
  for (const file of files) {
    if (!file) throw new InputError(`${where}: a file is not named`);
    if (isAbsolute(file) || normalize(file).startsWith('..'))
      throw new InputError(`${where}: ${file} lies outside the root`);
  }
  return files;
}

/** Name of a side: what two pairs have in common when they use the same frames. */
export function sampleName(frames: readonly string[]): string {
  return frames.join(BETWEEN_FRAMES);
}

/** Path of a file below the root. */
export function pathBelow(root: string, file: string): string {
  return join(root, file);
}

/** Reads who is in which file: columns file, identity. @throws InputError */
export async function readIdentities(paths: readonly string[]): Promise<Map<string, string>> {
  const identities = new Map<string, string>();
  for (const path of paths) {
    for (const { values } of await readCsv(path, ['file', 'identity']))
      if (values.file && values.identity) identities.set(values.file, values.identity);
  }
  return identities;
}

/** Person of each sample, as an index: what the bootstrap draws. */
export interface People {
  readonly count: number;
  readonly indexOf: (frames: readonly string[]) => number;
}

/**
 * Groups the files by person: by the given identities; otherwise files joined by pairs labelled `same` are one person, and a
 * file in no such pair is a person of its own.
 */
export function findPeople(pairs: readonly LabelledPair[], identities: ReadonlyMap<string, string>): People {
  const parents = new Map<string, string>();
  const find = (name: string): string => {
    let root = name;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    parents.set(name, root);
    return root;
  };
  const keyOf = (frames: readonly string[]) => {
    const identity = identities.get(frames[0]!);
    return identity === undefined ? `file ${frames[0]}` : `identity ${identity}`;
  };
  for (const { probe, reference, same } of pairs) {
    const [a, b] = [find(keyOf(probe)), find(keyOf(reference))];
    if (same && a !== b) parents.set(b, a);
    for (const side of [probe, reference])
      for (const file of side.slice(1))
        if (!identities.has(file)) parents.set(find(`file ${file}`), find(keyOf(side)));
  }
  const indexes = new Map<string, number>();
  for (const name of parents.keys()) {
    const root = find(name);
    if (!indexes.has(root)) indexes.set(root, indexes.size);
  }
  return { count: indexes.size, indexOf: (frames) => indexes.get(find(keyOf(frames)))! };
}

/**
 * Checks that the pairs contradict neither the identities nor each other. One wrong label would make two people one, and
 * nothing would be said of how they compare.
 * @throws InputError naming the files of the first pair that does
 */
export function requireOneTruth(
  pairs: readonly LabelledPair[],
  identities: ReadonlyMap<string, string>,
): void {
  for (const { probe, reference, same } of pairs) {
    const one = same ? [[...probe, ...reference]] : [probe, reference];
    for (const files of one) {
      const known = files.filter((file) => identities.has(file));
      const other = known.find((file) => identities.get(file) !== identities.get(known[0]!));
      if (other)
        throw new InputError(
          `${known[0]} and ${other} are to be one person: the identities say ${identities.get(known[0]!)} and ${identities.get(other)}`,
        );
    }
  }
  const people = findPeople(pairs, identities);
  for (const { probe, reference, same } of pairs)
    if (!same && people.indexOf(probe) === people.indexOf(reference))
      throw new InputError(
        `${sampleName(probe)} and ${sampleName(reference)} are to be two people: identities, or other pairs, say that they are one`,
      );
}
