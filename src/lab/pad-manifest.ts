// Reads the list of labelled files to judge: columns file, label and attack; optionally script and subject.
import { readFile } from 'node:fs/promises';
import { InputError, parseCsv } from './csv.ts';

/** One line of the list. Paths are as written, relative to a folder that the caller knows. */
export interface ManifestRow {
  readonly file: string;
  /** Attack instrument species; null for bona fide. */
  readonly species: string | null;
  /** The column `attack` of bona fide footage; null if empty. */
  readonly kind: string | null;
  /** Script file; null if only the passive checks decide. */
  readonly scriptFile: string | null;
  /** The column `subject`. If it is missing, the file, so that every file counts as a separate person. */
  readonly subject: string;
}

const BONA_FIDE = new Set(['bona_fide', 'bonafide', 'bona fide', 'real', 'live', 'genuine']);
const ATTACK = new Set(['attack', 'fake', 'spoof']);
const REQUIRED = ['file', 'label', 'attack'] as const;

/** Reads the list. @throws InputError naming the line; the file system's error if it cannot be read. */
export async function readManifest(path: string): Promise<ManifestRow[]> {
  return parseManifest(await readFile(path), path);
}

/** Parses a list; `name` is the file name used in faults. @throws InputError naming the line */
export function parseManifest(text: string | Uint8Array, name: string): ManifestRow[] {
  return parseCsv(text, name, REQUIRED).map(({ line, values }) => {
    const { file = '', label = '', attack = '', script, subject } = values;
    const known = label.toLowerCase();
    if (!file) throw new InputError(`${name}, line ${line}: no file`);
    const bonaFide = BONA_FIDE.has(known);
    if (!bonaFide && !ATTACK.has(known))
      throw new InputError(`${name}, line ${line}: the label ${label} is neither bona_fide nor attack`);
    return {
      file,
      species: bonaFide ? null : attack || 'unnamed',
      kind: bonaFide ? attack || null : null,
      scriptFile: script || null,
      subject: subject || file,
    };
  });
}
