// A list of labelled files → what is to be judged: columns file, label, attack; optional script and subject.
import { readFile } from 'node:fs/promises';
import { InputError, parseCsv } from './csv.ts';

/** One line of the list. Paths are as written, relative to the folder that the caller knows. */
export interface ManifestRow {
  readonly file: string;
  /** Species; null: bona fide. */
  readonly species: string | null;
  /** The column `attack` of bona fide footage; null if empty. */
  readonly kind: string | null;
  /** Script file; null: the passive checks alone decide. */
  readonly scriptFile: string | null;
  /** The column `subject`, else the file itself: then every file counts as a person of its own. */
  readonly subject: string;
}

const BONA_FIDE = new Set(['bona_fide', 'bonafide', 'bona fide', 'real', 'live', 'genuine']);
const ATTACK = new Set(['attack', 'fake', 'spoof']);
const REQUIRED = ['file', 'label', 'attack'] as const;

/** Reads the list. @throws InputError naming the line; the file system's error when it cannot be read. */
export async function readManifest(path: string): Promise<ManifestRow[]> {
  return parseManifest(await readFile(path), path);
}

/** Parses a list; `name` is the file's name in faults. @throws InputError naming the line */
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
