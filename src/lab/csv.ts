// Reads CSV files with a header line, in which people label their data. Rows become objects, and faults name their
// line.
import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';

/** A fault in an input file; the message is for its author. */
export class InputError extends Error {}

export interface CsvRow {
  /** Line of the file; the header is line 1. */
  readonly line: number;
  /** Value by column; every column of the header is present. */
  readonly values: Readonly<Record<string, string>>;
}

const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Reads a CSV file.
 * @throws InputError as `parseCsv` does; the file system's error if it cannot be read.
 */
export async function readCsv(path: string, columns: readonly string[]): Promise<CsvRow[]> {
  return parseCsv(await readFile(path), path, columns);
}

/**
 * Parses the rows of a CSV text; `name` is the file name used in faults.
 * @throws InputError if it is not CSV, has no rows or lacks one of `columns`.
 */
export function parseCsv(text: string | Uint8Array, name: string, columns: readonly string[]): CsvRow[] {
  if (text.length > MAX_BYTES) throw new InputError(`${name} is larger than ${MAX_BYTES} bytes`);
  let records: { record: Record<string, string>; info: { lines: number } }[];
  try {
    records = parse(typeof text === 'string' ? text : Buffer.from(text), {
      columns: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_quotes: true,
      info: true,
    }) as unknown as typeof records;
  } catch (error) {
    if (error instanceof CsvError) throw new InputError(`${name}: ${error.message}`);
    throw error;
  }
  const known = Object.keys(records[0]?.record ?? {});
  const missing = columns.filter((column) => !known.includes(column));
  if (records.length === 0) throw new InputError(`${name} has no rows`);
  if (missing.length > 0) throw new InputError(`${name} has no column ${missing.join(', ')}`);
  return records.map(({ record, info }) => ({ line: info.lines, values: record }));
}
