// The rows that bench/RESULTS-INJECT.md is made from, stored beside it as bench/RESULTS-INJECT.csv: readers of the
// tables can recount them, and a machine without rows of its own can continue where another stopped.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Row, Try } from './rows.ts';

const COLUMNS = [
  'version',
  'species',
  'label',
  'take',
  'way',
  'subject',
  'result',
  'tries',
  'reasons',
  'took_ms',
  'links',
] as const;
type Line = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Rows of the file; none if there is no such file. @throws csv-parse's CsvError if it is not CSV */
export function readPublished(path: string): Row[] {
  if (!existsSync(path)) return [];
  return (parse(readFileSync(path), { columns: true }) as unknown as Line[]).map((line) => ({
    version: line.version,
    species: line.species,
    subject: line.subject,
    label: line.label as Row['label'],
    way: line.way as Row['way'],
    result: line.result as Row['result'],
    take: Number(line.take),
    tries: line.tries.split(' ').filter(Boolean).map(tried),
    reasons: line.reasons.split(' ').filter(Boolean),
    tookMs: Number(line.took_ms),
    links: Number(line.links),
  }));
}

/**
 * Writes all rows, sorted independently of when they were made, so that later additions show up as single lines in a
 * diff.
 */
export function writePublished(path: string, rows: readonly Row[]): void {
  const lines = rows.map(lineOf).toSorted((one, other) => keyOf(one).localeCompare(keyOf(other), 'en'));
  const text = [COLUMNS.join(','), ...lines.map((line) => COLUMNS.map((column) => line[column]).join(','))];
  writeFileSync(path, `${text.join('\n')}\n`);
}

/** No cell contains a comma or a quote: only names, codes and numbers. */
function lineOf(row: Row): Line {
  return {
    version: row.version,
    species: row.species,
    label: row.label,
    way: row.way,
    subject: row.subject,
    result: row.result,
    take: String(row.take),
    reasons: row.reasons.join(' '),
    took_ms: String(row.tookMs),
    links: String(row.links),
    tries: row.tries.map(({ told, filmedMs }) => `${told}:${filmedMs ?? ''}`).join(' '),
  };
}

const keyOf = ({ version, species, way, take }: Line): string =>
  [version, species, way, take.padStart(6, '0')].join(' ');

function tried(cell: string): Try {
  const [told = '', filmedMs = ''] = cell.split(':');
  return { told, filmedMs: filmedMs === '' ? null : Number(filmedMs) };
}
