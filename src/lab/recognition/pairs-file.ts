// The labelled pairs of a recognition measurement, and who is in which file.
import { stat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { InputError, readCsv } from '../csv.ts';

/** One labelled comparison. */
export interface LabelledPair {
  /** Frames of the probe, as paths below the root; several are averaged. */
  readonly probe: readonly string[];
  readonly reference: readonly string[];
  readonly same: boolean;
  /** All other columns of the file. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Separates the frames of one side. File names do not contain it. */
const BETWEEN_FRAMES = '|';
const MAX_FRAMES = 64;
const TRUE = new Set(['1', 'true', 'yes']);
const FALSE = new Set(['0', 'false', 'no']);

/**
 * Reads pairs: columns file_a, file_b, same, and any others. A side may name several frames of one capture, separated
 * by `|`; their embeddings are averaged like those of a video.
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
    if (!file) throw new InputError(`${where}: a file name is missing`);
    if (isAbsolute(file) || normalize(file).startsWith('..'))
      throw new InputError(`${where}: ${file} lies outside the root`);
  }
  return files;
}

/** Name of a side; two pairs that use the same frames share it. */
export function sampleName(frames: readonly string[]): string {
  return frames.join(BETWEEN_FRAMES);
}

/** Path of a file below the root. */
export function pathBelow(root: string, file: string): string {
  return join(root, file);
}

/**
 * Checks that every file is there, before hours are spent on the others.
 * @throws InputError naming the first that is missing, and how many are
 */
export async function requireFiles(root: string, pairs: readonly LabelledPair[]): Promise<void> {
  const files = [...new Set(pairs.flatMap(({ probe, reference }) => [...probe, ...reference]))];
  const missing: string[] = [];
  for (const file of files) {
    const found = await stat(pathBelow(root, file)).catch(() => null);
    if (!found?.isFile()) missing.push(file);
  }
  if (missing.length > 0)
    throw new InputError(
      `cannot read ${pathBelow(root, missing[0]!)}: ${missing.length} of ${files.length} files are missing`,
    );
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

/** The person in each sample, as an index that the bootstrap draws. */
export interface People {
  readonly count: number;
  readonly indexOf: (frames: readonly string[]) => number;
}

/**
 * Groups files by person, using the given identities. Files without one are the same person if pairs labelled `same`
 * connect them; a file in no such pair is a separate person.
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
 * Checks that the pairs contradict neither the identities nor each other. Otherwise one wrong label would merge two
 * people, and the comparisons between them would silently disappear.
 * @throws InputError naming the files of the first contradictory pair
 */
export function requireConsistentIdentities(
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
          `the pairs make ${known[0]} and ${other} one person, but the identities say ${identities.get(known[0]!)} and ${identities.get(other)}`,
        );
    }
  }
  const people = findPeople(pairs, identities);
  for (const { probe, reference, same } of pairs)
    if (!same && people.indexOf(probe) === people.indexOf(reference))
      throw new InputError(
        `a pair makes ${sampleName(probe)} and ${sampleName(reference)} different people, but the identities or other pairs say that they are one`,
      );
}
