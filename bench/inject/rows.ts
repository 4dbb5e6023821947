// Stores the result of each presentation: a line of JSON, appended as soon as it is over, so that a killed run can be
// resumed.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Way } from './laboratory.ts';

/** One try of a challenge. */
export interface Try {
  /** What the person in front of the camera was told: the reason to try again, or `done`. */
  readonly told: string;
  /** From drawing the script to the commit, ms; null if a page did it. */
  readonly filmedMs: number | null;
}

/** One presentation: a challenge from its link to its result, with three tries at most. */
export interface Row {
  /** Version of the code and the networks that judged, and of the code that filmed. */
  readonly version: string;
  readonly species: string;
  readonly label: 'attack' | 'bona_fide';
  readonly take: number;
  readonly way: Way;
  /** Whose face is claimed: `subjectOf` of the person's name. */
  readonly subject: string;
  readonly result: 'pass' | 'fail';
  readonly tries: readonly Try[];
  /** Reasons of the result; those of captures that were sent back are not reported. */
  readonly reasons: readonly string[];
  /** From the challenge's creation to its result, ms. */
  readonly tookMs: number;
  /** Links opened until one was answered: more than one if scripts are drawn until an easy one comes. */
  readonly links: number;
}

/** Pseudonym of a person in rows, which are published: intervals need to know who is the same, not who it is. */
export function subjectOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8);
}

/** A row's key: the same presentation is not made twice for one version. */
export function keyOf({
  version,
  species,
  take,
  way,
}: Pick<Row, 'version' | 'species' | 'take' | 'way'>): string {
  return [version, species, take, way].join(' ');
}

/**
 * The published rows, then those of a file in the order in which they were made, without duplicates. A line that a
 * killed run left unfinished is skipped.
 */
export class RowStore {
  readonly #path: string;
  readonly #rows: Row[];

  constructor(path: string, published: readonly Row[] = []) {
    this.#path = path;
    this.#rows = [...published];
    const known = new Set(published.map(keyOf));
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) return;
    const text = readFileSync(path, 'utf8');
    for (const line of text.split('\n')) {
      const row = parsed(line);
      if (row && !known.has(keyOf(row))) this.#rows.push(row);
    }
    if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n');
  }

  add(row: Row): void {
    appendFileSync(this.#path, `${JSON.stringify(row)}\n`);
    this.#rows.push(row);
  }

  /** Rows of every version. */
  all(): readonly Row[] {
    return this.#rows;
  }
}

/** The rows of these versions; of a presentation that several made, that of the last version. */
export function rowsOf(rows: readonly Row[], versions: readonly string[]): Row[] {
  const made = new Map<string, Row>();
  for (const version of versions)
    for (const row of rows) if (row.version === version) made.set(keyOf({ ...row, version: '' }), row);
  return [...made.values()];
}

function parsed(line: string): Row | null {
  try {
    return line === '' ? null : (JSON.parse(line) as Row);
  } catch {
    return null;
  }
}
