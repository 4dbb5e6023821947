// The rows that bench/RESULTS-INJECT.md is made of, kept beside it as bench/RESULTS-INJECT.csv: whoever reads the tables can count again, and
// a machine that has none of its own goes on where another one ended.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Row, TriedOnce } from './rows.ts';

const COLUMNS = [
  ...[
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
  ],
] as const;
type Line = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Rows of the file, none where there is no such file. @throws csv-parse's CsvError where it is no CSV */
export function readPublished(path: string): Row[] {
  if (!existsSync(path)) return [];
  return (parse(readFileSync(path), { columns: true }) as unknown as Line[]).map((line) => ({
    ...{ version: line.version, species: line.species, subject: line.subject },
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

/** Writes all rows, in an order that does not tell which was made first: what is added later is then seen line by line. */
export function writePublished(path: string, rows: readonly Row[]): void {
  const lines = rows.map(lineOf).toSorted((one, other) => keyOf(one).localeCompare(keyOf(other), 'en'));
  const text = [COLUMNS.join(','), ...lines.map((line) => COLUMNS.map((column) => line[column]).join(','))];
  writeFileSync(path, `${text.join('\n')}\n`);
}

/** No cell holds a comma or a quote: names, codes and numbers. */
function lineOf(row: Row): Line {
  return {
    ...{ version: row.version, species: row.species, label: row.label, way: row.way, subject: row.subject },
    ...{ result: row.result, take: String(row.take), reasons: row.reasons.join(' ') },
    ...{ took_ms: String(row.tookMs), links: String(row.links) },
    tries: row.tries.map(({ told, filmedMs }) => `${told}:${filmedMs ?? ''}`).join(' '),
  };
}

const keyOf = ({ version, species, way, take }: Line): string =>
  [version, species, way, take.padStart(6, '0')].join(' ');

function tried(cell: string): TriedOnce {
  const [told = '', filmedMs = ''] = cell.split(':');
  return { told, filmedMs: filmedMs === '' ? null : Number(filmedMs) };
}
