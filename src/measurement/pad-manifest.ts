// A list of labelled files → what is to be judged: columns file, label, attack; optional script and subject.
import { parse } from 'csv-parse/sync';

/** One line of the list. Paths are as written, relative to the folder that the caller knows. */
export interface ManifestRow {
  readonly file: string;
  /** Species; null: bona fide. */
  readonly species: string | null;
  /** What the column `attack` says of bona fide footage; null: nothing. */
  readonly kind: string | null;
  /** Script file; null: the passive checks alone decide. */
  readonly scriptFile: string | null;
  /** The column `subject`, else the file itself: then every file counts as a person of its own. */
  readonly subject: string;
}

export type ReadManifest =
  | { readonly status: 'read'; readonly rows: readonly ManifestRow[] }
  | { readonly status: 'refused'; readonly fault: string };

const BONA_FIDE = new Set(['bona_fide', 'bonafide', 'bona fide', 'real', 'live', 'genuine']);
const ATTACK = new Set(['attack', 'fake', 'spoof']);
const REQUIRED = ['file', 'label', 'attack'] as const;

/** Reads the list; the fault names the line. */
export function readManifest(text: string): ReadManifest {
  let records: Record<string, string>[];
  try {
    records = parse(text, { columns: true, bom: true, trim: true, skip_empty_lines: true });
  } catch (error) {
    return { status: 'refused', fault: `no CSV: ${(error as Error).message}` };
  }
  const [first] = records;
  if (!first) return { status: 'refused', fault: 'the list is empty' };
  const missing = REQUIRED.find((column) => !(column in first));
  if (missing) return { status: 'refused', fault: `the column ${missing} is missing` };
  const rows: ManifestRow[] = [];
  for (const [i, { file = '', label = '', attack = '', script, subject }] of records.entries()) {
    const known = label.toLowerCase();
    if (!file) return { status: 'refused', fault: `row ${i + 1}: no file` };
    if (!BONA_FIDE.has(known) && !ATTACK.has(known))
      return { status: 'refused', fault: `row ${i + 1}: the label ${label} is neither bona_fide nor attack` };
    const bonaFide = BONA_FIDE.has(known);
    const species = bonaFide ? null : attack || 'unnamed';
    const kind = bonaFide ? attack || null : null;
    rows.push({ file, species, kind, scriptFile: script || null, subject: subject || file });
  }
  return { status: 'read', rows };
}
