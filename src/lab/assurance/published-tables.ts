// Reads the tables of a published file: Markdown as bench/report.ts writes it.
import type { Interval } from '../intervals.ts';

/** A row of a table: the cell of a named column, the `nth` of that name. Undefined if there is no such column. */
export type TableRow = (column: string, nth?: number) => string | undefined;

/** A published file. */
export interface PublishedFile {
  /** The day on which it was made. */
  readonly date: string | null;
  /** Hash of the judgement that was measured; null if the file does not say. */
  readonly judgement: string | null;
  /** Rows of the first table below a heading; none if there is no such table. */
  rows(heading: string): TableRow[];
}

export function readPublishedFile(text: string): PublishedFile {
  return {
    date: /\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? null,
    judgement: /judgement ([0-9a-f]{12})\b/.exec(text)?.[1] ?? null,
    rows: (heading) => rowsBelow(text, heading),
  };
}

function rowsBelow(text: string, heading: string): TableRow[] {
  const [, after = ''] = text.split(`\n## ${heading}\n`);
  const lines = after.split('\n## ')[0]!.split('\n');
  const [columns = [], , ...rows] = lines.filter((line) => line.startsWith('|')).map(cellsOf);
  return rows.map((cells) => (column, nth = 0) => {
    const places = columns.flatMap((name, place) => (name === column ? [place] : []));
    return cells[places[nth] ?? -1];
  });
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** Null if the cell is no number. */
export const numberIn = (cell = ''): number | null => (/^\d+(\.\d+)?$/.test(cell) ? Number(cell) : null);

/** A share of 1; null if the cell is no percentage. */
export function percentIn(cell = ''): number | null {
  const found = /^([\d.]+) %$/.exec(cell);
  return found ? fraction(found[1]!) : null;
}

/** Shares of 1; null if the cell is no interval. */
export function intervalIn(cell = ''): Interval | null {
  const found = /^([\d.]+)–([\d.]+)$/.exec(cell);
  return found ? [fraction(found[1]!), fraction(found[2]!)] : null;
}

const fraction = (percent: string): number => Number((Number(percent) / 100).toFixed(6));
