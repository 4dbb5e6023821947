// Collects the tables of a run and writes bench/RESULTS.md with the machine and the date.
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** One measurement: a heading, a sentence on how it was taken, and a table. */
export interface Section {
  title: string;
  method: string;
  columns: string[];
  rows: string[][];
  notes?: string[];
}

/** The median of the values; NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median and range of times, in seconds; a dash without any. */
export function spreadOfSeconds(timesMs: readonly number[], digits: number): string {
  if (timesMs.length === 0) return '–';
  const [middle, least, most] = [median(timesMs), Math.min(...timesMs), Math.max(...timesMs)].map((ms) =>
    (ms / 1000).toFixed(digits),
  );
  return `${middle} s (${least}–${most})`;
}

/**
 * Writes the report into this folder and returns its path. `command` is the command that made it; `judgement` is the
 * hash of the code that judged, by which `likeness assurance` tells whether the figures are of what runs.
 */
export function writeReport(
  sections: readonly Section[],
  name = 'RESULTS.md',
  command = 'npm run bench',
  judgement: string | null = null,
): string {
  const file = join(import.meta.dirname, name);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  const head = `# Results of \`${command}\`\n\n${new Date().toISOString().slice(0, 10)} · ${machine}${judgement ? ` · judgement ${judgement}` : ''}\n\nThe machine is shared and noisy: read ratios and medians, taken side by side in one run.\n`;
  writeFileSync(file, `${head}\n${sections.map(render).join('\n')}`);
  return file;
}

/** Renders the section as Markdown. */
export function render(section: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [line(section.columns), line(section.columns.map(() => '---')), ...section.rows.map(line)];
  const notes = (section.notes ?? []).map((note) => `- ${note}`);
  return [
    `## ${section.title}`,
    '',
    section.method,
    '',
    ...table,
    ...(notes.length ? ['', ...notes] : []),
    '',
  ].join('\n');
}
