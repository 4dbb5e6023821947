// Section 2: what was measured, from the tables that are published with the code (bench/RESULTS-*.md). A figure counts
// as today's only if its file names the judgement that runs here. What was not measured is a row too.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { JudgedKind } from '../judgement-hash.ts';
import type { MeasuredRow } from './contents.ts';
import {
  intervalIn,
  numberIn,
  type PublishedFile,
  percentIn,
  readPublishedFile,
  type TableRow,
} from './published-tables.ts';
import {
  ACCEPTED,
  ALL_METHODS,
  ATTACKS,
  ESTIMATED,
  HONEST_PEOPLE,
  INJECT,
  NOT_AGAIN,
  PAD,
  SOURCES,
  type Source,
} from './sources.ts';

/** The folder that holds the published files of this code. */
export const ROOT = resolve(import.meta.dirname, '..', '..', '..');

/** Below this, nothing is known of rates under 10 %: 0 of 33 has an interval up to 10.6 %. */
const ENOUGH = 33;

/** A variable of the configuration that decides. */
export interface Setting {
  readonly name: string;
  /** In force here. */
  readonly value: string;
  /** The default. */
  readonly usual: string;
  /** Decides only about species whose names begin so; default: about all. */
  readonly only?: string;
}

/** What runs here, with which published rows are compared. */
export interface Running {
  /** As hashOfJudgement computes it. */
  readonly judgements: Readonly<Record<JudgedKind, string>>;
  /** The measurements had the defaults, but for MEASURED_WITH. */
  readonly settings: readonly Setting[];
}

/** Settings of a way or a species of bench:inject that were not the default. */
export const MEASURED_WITH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  in_time: { LIVENESS_JUST_IN_TIME: 'require' },
  clip_person_smiles: { LIVENESS_PROMPTS: 'neutral,smile' },
};

/** The ways of bench:inject as methods of injection (CEN/TS 18099). */
const METHODS: Readonly<Record<string, string>> = {
  client: 'a program that speaks the capture API',
  in_time: 'the same, prompts just in time',
  camera: 'getUserMedia of the page replaced',
  recorder: 'MediaRecorder of the page replaced',
};

/** Rows of every table, in no order. `root` is the folder that holds the published files. */
export function publishedRows(running: Running, root = ROOT): MeasuredRow[] {
  return [...SOURCES.flatMap((source) => rowsOf(source, running, root)), ...unseenRows(root)];
}

function rowsOf(source: Source, running: Running, root: string): MeasuredRow[] {
  const file = readFile(source.file, root);
  if (!file) return [missingRow(source, source.section, `${source.file} is not part of this deployment`)];
  const rows = file.rows(source.section);
  if (rows.length === 0)
    return [missingRow(source, source.section, `${source.file} has no table of this name`)];
  const described = describedSpecies(file);
  return rows.map((cells) => {
    const species = cells(source.species) ?? '';
    const name = species.replace(HONEST, '') || 'all of them together';
    const limits = cells('limits');
    const condition = limits === undefined ? name : `${name}, ${limits} the limits of docs/liveness.md`;
    const what = [condition, described.get(species) ?? []].flat().join(' – ');
    const row = { ...measuredRow(source, file, cells, running), what };
    return source.area === 'bona fide' || HONEST.test(species) ? honestRow(row, source) : row;
  });
}

function measuredRow(source: Source, file: PublishedFile, cells: TableRow, running: Running): MeasuredRow {
  const n = numberIn(cells('n'));
  const subjects = numberIn(cells('subjects'));
  const way = cells('method');
  const species = cells(source.species) ?? '';
  const seconds = numberIn(cells('link to result, s (median)'));
  const measuredWith = { ...MEASURED_WITH[way ?? ''], ...MEASURED_WITH[species] };
  const settings = running.settings.filter(({ only = '' }) => species.startsWith(only));
  const noEstimate = whyNoEstimate(source, cells);
  const { judgement, date } = measuredBy(file, species);
  const staleBecause =
    n === 0 || noEstimate
      ? null
      : whyStale(judgement, running.judgements[source.judged], settings, measuredWith);
  return {
    area: source.area,
    method: way === undefined ? source.method : (METHODS[way] ?? way),
    what: '',
    measure: source.measure,
    n,
    subjects,
    rate: percentIn(cells(source.rate)),
    interval: intervalIn(cells('95 %', source.interval)),
    seconds,
    date,
    command: source.command,
    version: judgement,
    stale: staleBecause !== null,
    note: [noEstimate ?? [], staleBecause ?? [], whyFew(n, subjects)].flat().join('; '),
  };
}

/** What judged a species, and when. */
function measuredBy(file: PublishedFile, species: string): Pick<PublishedFile, 'judgement' | 'date'> {
  const earlier = file.rows(NOT_AGAIN).find((cells) => cells('species') === species);
  return earlier ? { judgement: earlier('judgement') ?? null, date: earlier('date') ?? null } : file;
}

function whyStale(
  judgement: string | null,
  running: string,
  settings: readonly Setting[],
  measuredWith: Readonly<Record<string, string>>,
): string | null {
  if (judgement === null) return 'stale: judgement not recorded';
  if (judgement !== running) return 'stale: another judgement';
  const others = settings.flatMap(({ name, value, usual }) => {
    const measured = measuredWith[name] ?? usual;
    return isSame(value, measured) ? [] : [`${name}=${measured}`];
  });
  return others.length === 0 ? null : `stale: measured with ${others.join(', ')}`;
}

/** Whether two values are the same, or lists of the same. */
const isSame = (one: string, other: string): boolean =>
  one.split(',').sort().join() === other.split(',').sort().join();

/** Null for a rate that was counted, and for an estimate that rests on further presentations. */
const whyNoEstimate = (source: Source, cells: TableRow): string | null =>
  ESTIMATED.includes(source.rate) && cells(source.rate) === '–'
    ? 'no estimate: each person was presented once in each condition'
    : null;

/** Many presentations of few people say as little as few presentations. */
function whyFew(n: number | null, subjects: number | null): string[] {
  if (n === 0) return ['not measured'];
  const few = { n, subjects };
  return Object.entries(few).flatMap(([name, count]) =>
    count !== null && count < ENOUGH ? [`${name} < ${ENOUGH}`] : [],
  );
}

/** What no bench here can present. */
const NOT_AT_HAND = [
  [PAD, 'masks of silicone, resin or paper'],
  [ATTACKS, 'faces generated by networks for video, and puppets of film studios'],
  [ATTACKS, 'hooked apps, emulators and modified systems of phones'],
] as const;

/** Species that are in none of the tables, and what could not be made. */
function unseenRows(root: string): MeasuredRow[] {
  return [
    ...unseenInjected(root),
    ...unseenPresented(root),
    ...NOT_AT_HAND.map(([source, what]) =>
      missingRow({ ...source, method: null, measure: 'APCER' }, what, 'not at hand'),
    ),
  ];
}

function unseenPresented(root: string): MeasuredRow[] {
  const names = readFile(PAD.file, root)?.rows('Not presented yet') ?? [];
  return names.map((cells) =>
    missingRow({ ...PAD, measure: 'APCER in one try' }, cells('presentations')!, 'no presentation yet'),
  );
}

function unseenInjected(root: string): MeasuredRow[] {
  const file = readFile(INJECT.file, root);
  if (!file) return [];
  const seen = new Set([
    ...file.rows('Attacks').map((cells) => cells('species')),
    ...file.rows('Bona fide').map((cells) => cells('presentations')),
  ]);
  const unseen = file.rows('The species').filter((cells) => !seen.has(cells('species')));
  const described = describedSpecies(file);
  return unseen.map((cells) => {
    const species = cells('species')!;
    const source =
      cells('kind') === 'bona fide'
        ? { ...HONEST_PEOPLE, measure: 'BPCER in three tries' }
        : { ...ATTACKS, method: ALL_METHODS };
    return missingRow(source, `${species} – ${described.get(species)}`, 'no presentation yet');
  });
}

function missingRow(
  { area, method, measure, command }: Pick<Source, 'area' | 'method' | 'measure' | 'command'>,
  what: string,
  why: string,
): MeasuredRow {
  return { area, method, what, measure, ...NOTHING, command, note: `not measured: ${why}` };
}

/** What a row without a figure has in place of one. */
export const NOTHING = {
  n: null,
  subjects: null,
  rate: null,
  interval: null,
  seconds: null,
  date: null,
  version: null,
  stale: false,
} as const;

/** How honest people are named in a table of attacks: all of them, and a kind of their footage. */
const HONEST = /^bona fide(: |$)/;

/** An honest person's row: what was an acceptance becomes an error, so that the worst is first. */
function honestRow(row: MeasuredRow, { rate: column, honest }: Source): MeasuredRow {
  const named = { ...row, area: 'bona fide' as const, measure: honest ?? row.measure };
  if (!ACCEPTED.includes(column)) return named;
  const without = (share: number) => Number((1 - share).toFixed(6));
  return {
    ...named,
    rate: row.rate === null ? null : without(row.rate),
    interval: row.interval && [without(row.interval[1]), without(row.interval[0])],
  };
}

/** What an attacker of each species of the laboratory has and does. */
const describedSpecies = (file: PublishedFile): Map<string, string> =>
  new Map(
    file.rows('The species').map((cells) => [cells('species') ?? '', `${cells('has')}: ${cells('does')}`]),
  );

function readFile(path: string, root: string): PublishedFile | null {
  const full = join(root, path);
  return existsSync(full) ? readPublishedFile(readFileSync(full, 'utf8')) : null;
}
