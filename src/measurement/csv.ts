// CSV files with a heading, as people label their data with: rows as objects, faults with their line.
import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';

/** What is wrong with a file that somebody gave; its message is for them. */
export class InputError extends Error {}

export interface CsvRow {
  /** Line of the file, the heading being 1. */
  readonly line: number;
  /** Value by column; every column of the heading is there. */
  readonly values: Readonly<Record<string, string>>;
}

const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Reads a CSV file.
 * @throws InputError when it is no CSV or lacks one of `columns`; the file system's error when it cannot be read.
 */
export async function readCsv(path: string, columns: readonly string[]): Promise<CsvRow[]> {
  const text = await readFile(path);
  if (text.length > MAX_BYTES) throw new InputError(`${path} is larger than ${MAX_BYTES} bytes`);
  let records: { record: Record<string, string>; info: { lines: number } }[];
  try {
    records = parse(text, {
      columns: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_quotes: true,
      info: true,
    }) as unknown as typeof records;
  } catch (error) {
    if (error instanceof CsvError) throw new InputError(`${path}: ${error.message}`);
    throw error;
  }
  const known = Object.keys(records[0]?.record ?? {});
  const missing = columns.filter((column) => !known.includes(column));
  if (records.length === 0) throw new InputError(`${path} holds no rows`);
  if (missing.length > 0) throw new InputError(`${path} has no column ${missing.join(', ')}`);
  return records.map(({ record, info }) => ({ line: info.lines, values: record }));
}
