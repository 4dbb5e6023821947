// Rows of section 2 from the results that are published with the code: the tables of bench/RESULTS-*.md, and the
// calibration in force. A row counts as today's only if its file names the code that runs here.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PackCalibration } from '../../models/packs/calibration.ts';
import type { Interval } from '../intervals.ts';
import type { MeasuredRow } from './contents.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');

/** What runs here, with which published rows are compared. */
export interface Running {
  readonly code: string;
  readonly packId: string;
  readonly targetFmr: number;
  readonly calibration: PackCalibration | null;
}

/** A table of a published file that becomes rows. The columns are named as in the file. */
interface Source {
  readonly file: string;
  readonly section: string;
  readonly command: string;
  readonly area: MeasuredRow['area'];
  readonly method: string | null;
  readonly measure: string;
  /** The measure of the honest people among its rows, if there are any. */
  readonly honest?: string;
  readonly species: string;
  readonly rate: string;
  /** Which of the columns named `95 %`. */
  readonly interval: number;
}

const INJECT = {
  file: 'bench/RESULTS-INJECT.md',
  command: 'npm run bench:inject',
  species: 'species',
  interval: 0,
} as const;
const PAD = {
  file: 'bench/RESULTS-PAD.md',
  command: 'npm run bench:pad',
  area: 'presentation',
  method: null,
  species: 'presentations',
} as const;

const SOURCES: readonly Source[] = [
  {
    ...INJECT,
    section: 'Attacks',
    area: 'injection',
    method: 'a program in place of the camera',
    measure: 'APCER in three tries',
    rate: 'APCER',
  },
  {
    ...INJECT,
    section: 'Bona fide',
    area: 'bona fide',
    method: null,
    measure: 'BPCER in three tries',
    species: 'presentations',
    rate: 'BPCER in three tries',
  },
  {
    ...INJECT,
    section: 'Bona fide',
    area: 'bona fide',
    method: null,
    measure: 'BPCER at the first try',
    species: 'presentations',
    rate: 'at the first try',
    interval: 1,
  },
  {
    ...PAD,
    section: 'Held against a script',
    measure: 'accepted in three tries',
    honest: 'not accepted in three tries',
    rate: 'accepted in 3 tries',
    interval: 1,
  },
  {
    ...PAD,
    section: 'Passive checks alone',
    measure: 'APCER of the passive checks, without a script',
    honest: 'BPCER (refused for good) of the passive checks',
    rate: 'APCER / BPCER',
    interval: 0,
  },
];

/** All rows, the worst of each area first. `root` is the folder that holds the published files. */
export function measuredRows(running: Running, root = ROOT): MeasuredRow[] {
  const rows = [...SOURCES.flatMap((source) => rowsOf(source, running, root)), ...recognitionRows(running)];
  const areas = ['injection', 'presentation', 'bona fide', 'recognition'];
  return rows.toSorted(
    (one, other) =>
      areas.indexOf(one.area) - areas.indexOf(other.area) || (other.rate ?? 2) - (one.rate ?? 2),
  );
}

function rowsOf(source: Source, { code }: Running, root: string): MeasuredRow[] {
  const path = join(root, source.file);
  const common = { method: source.method, command: source.command, measure: source.measure };
  const missing = (why: string): MeasuredRow[] => [
    { ...common, area: source.area, what: source.section, ...NOTHING, date: null, version: null, note: why },
  ];
  if (!existsSync(path)) return missing(`not measured here: ${source.file} is not part of this deployment`);
  const text = readFileSync(path, 'utf8');
  const [heading = [], ...lines] = tableOf(text, source.section);
  if (lines.length === 0) return missing(`${source.file} has no table of this name`);
  const column = (name: string) => heading.indexOf(name);
  const intervals = heading.flatMap((name, at) => (name === '95 %' ? [at] : []));
  const date = /\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? null;
  const version = versionIn(text);
  const stale = version !== code;
  const described = new Map(
    tableOf(text, 'The species').map(([name = '', has, does]) => [name, `${has}: ${does}`]),
  );
  return lines.map((cells) => {
    const species = cells[column(source.species)] ?? '';
    const row = {
      ...common,
      area: source.area,
      what: [species.replace(HONEST, ''), described.get(species) ?? []].flat().join(' – '),
      n: numberIn(cells[column('n')]),
      subjects: numberIn(cells[column('subjects')]),
      rate: percentIn(cells[column(source.rate)]),
      interval: intervalIn(cells[intervals[source.interval] ?? -1]),
      date,
      version,
      stale,
      note: stale ? staleNote(version) : '',
    };
    return species.startsWith(HONEST) ? honestRow(row, source) : row;
  });
}

/** How species of honest people are named in a table of attacks. */
const HONEST = 'bona fide: ';

/** An honest person's row in a table of attacks: what was an acceptance becomes an error, so that the worst is first. */
function honestRow(row: MeasuredRow, { rate: column, honest }: Source): MeasuredRow {
  const named = { ...row, area: 'bona fide' as const, measure: honest ?? row.measure };
  if (!column.startsWith('accepted')) return named;
  const without = (share: number) => Number((1 - share).toFixed(6));
  return {
    ...named,
    rate: row.rate === null ? null : without(row.rate),
    interval: row.interval && [without(row.interval[1]), without(row.interval[0])],
  };
}

const NOTHING = { n: null, subjects: null, rate: null, interval: null, stale: true } as const;

const staleNote = (version: string | null): string =>
  version === null
    ? 'stale: its judgement was not recorded, so it is taken for an earlier one than what runs here'
    : 'stale: measured on another judgement than what runs here';

/** The hash that a published file names, as `bench/report.ts` writes it. */
const versionIn = (text: string): string | null => /judgement ([0-9a-f]{12})\b/.exec(text)?.[1] ?? null;

/** Rates of the calibration in force at the target, for every number of frames. */
function recognitionRows({ calibration, packId, targetFmr }: Running): MeasuredRow[] {
  const common = { area: 'recognition', method: null, command: 'likeness bench recognition' } as const;
  const missing = (note: string): MeasuredRow[] => [
    { ...common, what: packId, measure: 'FMR, FNMR', ...NOTHING, date: null, version: null, note },
  ];
  if (!calibration) return missing('not measured: the pack in force has no calibration');
  const samePack = calibration.pack === packId;
  const rows = calibration.thresholds.flatMap(({ probe_frames, reference_frames, points }) =>
    points
      .filter((point) => point.target_fmr === targetFmr)
      .flatMap(({ groups, cosine }) =>
        groups.flatMap(({ group, fmr, fmr_interval, fnmr, fnmr_interval }) =>
          (
            [
              ['FMR', fmr, fmr_interval],
              ['FNMR', fnmr, fnmr_interval],
            ] as const
          ).map(([measure, rate, interval]) => ({
            ...common,
            what: `${group}, ${probe_frames} against ${reference_frames} frames, cosine ${cosine.toFixed(3)}`,
            measure,
            n: null,
            subjects: null,
            rate,
            interval: interval as Interval | null,
            date: calibration.made_at.slice(0, 10),
            version: calibration.pack,
            // The pack's id covers the network, not the code that finds and aligns the face.
            stale: true,
            note: samePack
              ? 'stale: measured with the pack in force, but the code around it was not recorded; n: docs/recognition.md'
              : 'stale: measured with another pack than the one in force',
          })),
        ),
      ),
  );
  return rows.length > 0 ? rows : missing(`not measured at a target FMR of ${targetFmr}`);
}

/** Cells of the first table after a heading, its own heading first; empty if there is none. */
function tableOf(text: string, section: string): string[][] {
  const [, after = ''] = text.split(`\n## ${section}\n`);
  const body = after.split('\n## ')[0]!;
  const cells = body
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  return cells.filter((_, at) => at !== 1);
}

const numberIn = (cell = ''): number | null => (/^\d+$/.test(cell) ? Number(cell) : null);

function percentIn(cell = ''): number | null {
  const found = /^([\d.]+) %$/.exec(cell);
  return found ? fraction(found[1]!) : null;
}

function intervalIn(cell = ''): Interval | null {
  const found = /^([\d.]+)–([\d.]+)$/.exec(cell);
  return found ? [fraction(found[1]!), fraction(found[2]!)] : null;
}

const fraction = (percent: string): number => Number((Number(percent) / 100).toFixed(6));
