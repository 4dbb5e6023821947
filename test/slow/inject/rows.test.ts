// How a run of the laboratory resumes, and its tables. Needs no face and no service.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SPECIES } from '../../../bench/attacks/species.ts';
import { REQUIRED } from '../../../bench/inject/in-time.ts';
import { beforeOf, beforeSection, keptRows } from '../../../bench/inject/kept.ts';
import type { LaboratorySpecies, Way } from '../../../bench/inject/laboratory.ts';
import { planned, waysOf } from '../../../bench/inject/plan.ts';
import { readPublished, writePublished } from '../../../bench/inject/published.ts';
import { sectionsOf } from '../../../bench/inject/report.ts';
import { type Row, RowStore, rowsOf, subjectOf } from '../../../bench/inject/rows.ts';
import { LABORATORY } from '../../../bench/inject/species/table.ts';
import { versionOf } from '../../../bench/inject/version.ts';
import { render } from '../../../bench/report.ts';
import { measuredRows } from '../../../src/lab/assurance/measured.ts';
import { MEASURED_WITH } from '../../../src/lab/assurance/published.ts';
import { readPublishedFile } from '../../../src/lab/assurance/published-tables.ts';
import { zeroCountInterval } from '../../../src/lab/intervals.ts';

const ALL: ReadonlySet<Way> = new Set(['client', 'camera']);

const species = (name: string, label: LaboratorySpecies['label'] = 'attack'): LaboratorySpecies => ({
  name,
  label,
  holds: `what ${name} has`,
  does: `what ${name} does`,
  subject: (_, take) => `person ${take}`,
  client: { film: async () => null },
});
const withPage = (name: string): LaboratorySpecies => ({
  ...species(name),
  page: { plan: async () => ({ film: null }) },
});
const row = (own: Partial<Row>): Row => ({
  version: 'v1',
  species: 'a',
  label: 'attack',
  take: 0,
  way: 'client',
  subject: 'person 0',
  result: 'fail',
  tries: [{ told: 'done', filmedMs: 9000 }],
  reasons: [],
  tookMs: 12_000,
  links: 1,
  ...own,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-rows-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('of one presentation in several versions, the last one named counts', () => {
  const rows = [
    row({ version: 'new', take: 0, result: 'pass' }),
    row({ version: 'old', take: 0 }),
    row({ version: 'old', take: 1 }),
    row({ version: 'other', take: 2 }),
  ];
  const told = (versions: readonly string[]) =>
    rowsOf(rows, versions).map(({ version, take }) => `${version} ${take}`);
  expect(told(['old', 'new'])).toEqual(['new 0', 'old 1']);
  expect(told(['new'])).toEqual(['new 0']);
});

describe('a run that resumes', () => {
  test('finds the rows made before, and leaves out the line that a killed run did not finish', () => {
    const path = join(folder, 'below', 'rows.jsonl');
    const first = new RowStore(path);
    first.add(row({ take: 0 }));
    first.add(row({ take: 1 }));
    appendFileSync(path, '{"version":"v1","species":"a","ta');
    const second = new RowStore(path);
    expect(second.all().map(({ take }) => take)).toEqual([0, 1]);
    second.add(row({ take: 2 }));
    expect(new RowStore(path).all().map(({ take }) => take)).toEqual([0, 1, 2]);
    expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
  });

  test('makes a take of every species before the next take of any, and nothing twice', () => {
    const both = [species('a'), species('b')];
    const all = planned(both, 2, ALL, 'v1', []);
    expect(all.map((one) => `${one.species} ${one.take}`)).toEqual(['a 0', 'b 0', 'a 1', 'b 1']);
    const left = planned(both, 2, ALL, 'v1', [row({ take: 0 }), row({ species: 'b', take: 1 })]);
    expect(left.map((one) => `${one.species} ${one.take}`)).toEqual(['b 0', 'a 1']);
  });

  test('makes everything again for another version, and for another way', () => {
    expect(planned([species('a')], 1, ALL, 'v2', [row({})])).toHaveLength(1);
    expect(planned([withPage('a')], 1, ALL, 'v1', [row({})])).toEqual([
      { species: 'a', take: 0, way: 'camera' },
    ]);
  });

  test('presents a share through the page, and all of them through the program', () => {
    const takes = Array.from({ length: 16 }, (_, take) => waysOf(withPage('a'), take));
    expect(takes.filter((ways) => ways.includes('camera'))).toHaveLength(2);
    expect(takes.every((ways) => ways.includes('client'))).toBe(true);
    expect(planned([withPage('a')], 16, new Set<Way>(['camera']), 'v1', [])).toHaveLength(2);
  });
});

describe('published rows', () => {
  test('are read back as they were written, whatever the outcome and the way', () => {
    const path = join(folder, 'rows.csv');
    const rows = [
      row({ take: 2, reasons: ['view_broken', 'smile_missing'], links: 3 }),
      row({ take: 10, way: 'camera', tries: [{ told: 'too_dark', filmedMs: null }], result: 'pass' }),
      row({ take: 3, label: 'bona_fide', tries: [] }),
    ];
    writePublished(path, rows);
    expect(new Set(readPublished(path).map((one) => JSON.stringify(sorted(one))))).toEqual(
      new Set(rows.map((one) => JSON.stringify(sorted(one)))),
    );
    writePublished(join(folder, 'again.csv'), readPublished(path).toReversed());
    expect(readFileSync(join(folder, 'again.csv'), 'utf8')).toBe(readFileSync(path, 'utf8'));
    expect(readPublished(join(folder, 'none.csv'))).toEqual([]);
  });

  test('come before local rows, are not made again and count once', () => {
    const path = join(folder, 'rows.jsonl');
    new RowStore(path).add(row({ take: 0 }));
    const store = new RowStore(path, [row({ take: 0 }), row({ take: 1 })]);
    expect(store.all().map(({ take }) => take)).toEqual([0, 1]);
    expect(planned([species('a')], 3, ALL, 'v1', store.all()).map(({ take }) => take)).toEqual([2]);
  });

  test('do not name their subjects', () => {
    expect(subjectOf('Ada Lovelace')).toMatch(/^[0-9a-f]{8}$/);
    expect(subjectOf('Ada Lovelace')).toBe(subjectOf('Ada Lovelace'));
    expect(subjectOf('Ada Lovelace')).not.toBe(subjectOf('Grace Hopper'));
  });

  const sorted = (one: Row) => Object.fromEntries(Object.entries(one).toSorted());
});

test('a version depends on every file that decides, and on nothing else', () => {
  writeFileSync(join(folder, 'judge.ts'), 'one');
  writeFileSync(join(folder, 'beside.ts'), 'one');
  const before = versionOf(folder, ['judge.ts']);
  writeFileSync(join(folder, 'beside.ts'), 'two');
  expect(versionOf(folder, ['judge.ts'])).toBe(before);
  writeFileSync(join(folder, 'judge.ts'), 'two');
  expect(versionOf(folder, ['judge.ts'])).not.toBe(before);
});

describe('the tables', () => {
  test('show what passes at once beside what passes just in time, and count them separately', () => {
    const title = 'Prompts at once and just in time';
    const rows = [
      row({ take: 0, result: 'pass' }),
      row({ take: 1, subject: 'person 1', result: 'pass' }),
      row({ take: 0, way: 'in_time', reasons: ['foreseen'] }),
      row({ take: 1, way: 'in_time', subject: 'person 1', tries: tried('smile_missing', 'done') }),
    ];
    expect(cell(title, 0, 'at once', rows)).toBe('2 of 2');
    expect(cell(title, 0, 'just in time', rows)).toBe('0 of 2');
    expect(cell(title, 0, 'commonest reasons, just in time', rows)).toContain('foreseen 1');
    expect(cell('Attacks', 0, 'n', rows)).toBe('2');
  });

  const cell = (title: string, line: number, column: string, rows: readonly Row[]) => {
    const all = [species('a'), species('b'), species('c', 'bona_fide')];
    const section = sectionsOf(all, rows).find((one) => one.title === title)!;
    return section.rows[line]![section.columns.indexOf(column)]!;
  };
  const tried = (...told: string[]) => told.map((one) => ({ told: one, filmedMs: 1 }));

  test('put the worst species first, by challenge and by first try', () => {
    const rows = [
      ...Array.from({ length: 10 }, (_, take) => row({ take, subject: `person ${take}` })),
      row({ species: 'b', take: 0, result: 'pass' }),
      row({
        species: 'b',
        take: 1,
        subject: 'person 1',
        result: 'pass',
        tries: tried('smile_missing', 'done'),
      }),
      row({ species: 'b', take: 2, subject: 'person 2', reasons: ['looped'] }),
      row({ species: 'b', take: 3, subject: 'person 3', reasons: ['looped'] }),
    ];
    expect(cell('Attacks', 0, 'species', rows)).toBe('b');
    expect(cell('Attacks', 0, 'APCER', rows)).toBe('50.0 %');
    expect(cell('Attacks', 0, 'APCER at the first try', rows)).toBe('25.0 %');
    expect(cell('Attacks', 0, 'commonest reasons', rows)).toBe('looped 2');
    expect(cell('What still passes', 0, 'passed', rows)).toBe('2 of 4');
    // None of ten passed: the interval is that of ten subjects, not narrower.
    const most = 100 * zeroCountInterval(10)[1];
    expect(cell('Attacks', 1, '95 %', rows)).toBe(`0.0–${most.toFixed(1)}`);
  });

  test('count subjects, not presentations, where nothing passed', () => {
    const rows = Array.from({ length: 30 }, (_, take) => row({ take, subject: `person ${take % 3}` }));
    expect(cell('Attacks', 0, 'subjects', rows)).toBe('3');
    expect(cell('Attacks', 0, '95 %', rows)).toBe(`0.0–${(100 * zeroCountInterval(3)[1]).toFixed(1)}`);
  });

  test('tell takes of real people from those of rendered ones', () => {
    const rows = [
      row({ species: 'take_cuts', subject: subjectOf('luyt'), result: 'pass' }),
      row({ species: 'take_cuts', take: 3, subject: subjectOf('luyt') }),
      row({ species: 'take_cuts', take: 1, subject: subjectOf('Ada Lovelace') }),
      row({ species: 'a', subject: subjectOf('luyt') }),
    ];
    const sections = sectionsOf([species('a'), species('take_cuts')], rows);
    const table = sections.find(({ title }) => title.startsWith('Attacks with takes of real people'))!;
    expect(table.rows.map((cells) => cells.slice(0, 6))).toEqual([
      ['take_cuts', 'real', '2', '1', '1', '50.0 %'],
      ['take_cuts', 'rendered', '1', '1', '0', '0.0 %'],
    ]);
  });

  test('list by try what people were told', () => {
    const own = { species: 'c', label: 'bona_fide' } as const;
    const rows = [
      row({ ...own, result: 'pass' }),
      row({ ...own, take: 1, result: 'pass', tries: tried('too_dark', 'done') }),
      row({ ...own, take: 2, tries: tried('too_dark', 'too_dark', 'done'), reasons: ['looped'] }),
    ];
    expect(cell('Bona fide', 0, 'BPCER in three tries', rows)).toBe('33.3 %');
    expect(cell('Bona fide', 0, 'at the first try', rows)).toBe('66.7 %');
    expect(cell('What people were told, by try', 0, 'told to try again', rows)).toBe('too_dark 2');
    expect(cell('What people were told, by try', 1, 'accepted', rows)).toBe('1');
    expect(cell('What people were told, by try', 2, 'final failure', rows)).toBe('looped 1');
  });

  test('tell people before the page from a program that answers for them', () => {
    const own = { species: 'c', label: 'bona_fide', result: 'pass' } as const;
    const rows = [row({ ...own, tookMs: 9_000 }), row({ ...own, way: 'camera', tookMs: 17_000 })];
    const seconds = 'link to result, s (median)';
    const lines = [0, 1].map((line) => [
      cell('Bona fide', line, 'method', rows),
      cell('Bona fide', line, seconds, rows),
    ]);
    expect(lines.sort()).toEqual([
      ['camera', '17.0'],
      ['client', '9.0'],
    ]);
  });
});

describe('the table by method and instrument', () => {
  const all = [withPage('a'), species('b'), species('c', 'bona_fide'), species('unseen')];
  const rows = [
    row({ take: 0, result: 'pass' }),
    row({ take: 1, subject: 'person 1' }),
    row({ take: 0, way: 'camera', result: 'pass' }),
    row({ species: 'b' }),
    row({ species: 'c', label: 'bona_fide', tookMs: 20_000 }),
  ];

  test('crosses every way of an attack with every attack, also those without a presentation', () => {
    const section = sectionsOf(all, rows).find(({ title }) => title === 'By method and instrument')!;
    expect(section.rows.map((cells) => cells.slice(0, 5))).toEqual([
      ['camera', 'a', '1', '1', '100.0 %'],
      ['client', 'a', '2', '2', '50.0 %'],
      ['client', 'b', '1', '1', '0.0 %'],
      ['client', 'unseen', '0', '0', '–'],
    ]);
  });

  /** What the assurance report of a service with this judgement reads of the published tables. */
  const readBy = (challenge: string) =>
    measuredRows(
      {
        judgements: { challenge, recording: '000000000000' },
        settings: [],
        packId: '',
        targetFmr: 1e-4,
        calibration: null,
        code: '',
      },
      folder,
    ).filter(({ command }) => command === 'npm run bench:inject');

  test('is what the assurance report reads, as today’s where it names the judgement that runs', () => {
    mkdirSync(join(folder, 'bench'));
    const tables = sectionsOf(all, rows).map(render).join('\n');
    const head = '# Results\n\n2026-11-27 · a machine · judgement 0123456789ab\n\n';
    writeFileSync(join(folder, 'bench', 'RESULTS-INJECT.md'), head + tables);
    const read = readBy('0123456789ab');
    const named = (name: string) => read.filter(({ what }) => what.startsWith(`${name} – what ${name} has`));
    expect(named('a').map(({ n, rate, stale }) => [n, rate, stale])).toEqual([
      [1, 1, false],
      [3, 0.667, false],
      [2, 0.5, false],
    ]);
    expect(named('c').map(({ measure, seconds }) => [measure, seconds])).toEqual([
      ['BPCER in three tries', 20],
      ['BPCER at the first try', 20],
    ]);
    expect(named('unseen').map(({ rate, note }) => [rate, note])).toEqual([
      [null, 'not measured'],
      [null, 'not measured: no presentation yet'],
    ]);
    expect(read.every(({ stale }) => !stale)).toBe(true);
  });

  test('keeps the rows of species that were not presented again, and says whose judgement they are of', () => {
    const first = readPublishedFile('# Results\n\n2026-11-27 · a machine · judgement 0123456789ab\n');
    const kept = keptRows(rows, [row({ species: 'a', take: 7 })]);
    expect(kept.map(({ species }) => species)).toEqual(['b', 'c']);
    expect(beforeOf(kept, first, '0123456789ab')).toEqual([]);
    const before = beforeOf(kept, first, 'ba9876543210');
    expect(before).toEqual([
      { species: 'b', judgement: '0123456789ab', date: '2026-11-27' },
      { species: 'c', judgement: '0123456789ab', date: '2026-11-27' },
    ]);
    // The same again, from the report that says so.
    const head = '# Results\n\n2026-11-29 · a machine · judgement ba9876543210\n\n';
    const report = head + [...sectionsOf(all, rows), beforeSection(before)].map(render).join('\n');
    expect(beforeOf(kept, readPublishedFile(report), 'ba9876543210')).toEqual(before);
    mkdirSync(join(folder, 'bench'), { recursive: true });
    writeFileSync(join(folder, 'bench', 'RESULTS-INJECT.md'), report);
    const read = readBy('ba9876543210');
    const staleOf = (name: string) =>
      new Set(
        read
          .filter(({ what, n }) => n && what.startsWith(`${name} – `))
          .map(({ stale, date }) => `${stale} ${date}`),
      );
    expect([...staleOf('a')]).toEqual(['false 2026-11-29']);
    expect([...staleOf('b'), ...staleOf('c')]).toEqual(['true 2026-11-27', 'true 2026-11-27']);
  });
});

test('the report knows the settings that are not the default', () => {
  const species = LABORATORY.flatMap(({ name, environment }) => (environment ? [[name, environment]] : []));
  expect(MEASURED_WITH).toEqual({ in_time: REQUIRED, ...Object.fromEntries(species) });
  // The target FMR decides about these alone.
  const compared = LABORATORY.filter(({ client }) => client?.against).map(({ name }) => name);
  expect(compared).toEqual(LABORATORY.map(({ name }) => name).filter((name) => name.startsWith('bound_')));
});

test('the published tables know every species, presented or not', () => {
  const published = (name: string) =>
    readPublishedFile(readFileSync(join(import.meta.dirname, '../../../bench', name), 'utf8'));
  const injected = published('RESULTS-INJECT.md').rows('The species');
  expect(injected.map((cells) => cells('species'))).toEqual(LABORATORY.map(({ name }) => name));
  const pad = published('RESULTS-PAD.md');
  const tables = ['Judged against a script', 'Passive checks alone'].flatMap((title) => [
    ...pad.rows(title).map((cells) => cells('presentations')),
    ...pad.rows(`${title}: what honest people meet`).map((cells) => cells('environment')),
  ]);
  const known = new Set([...tables, ...pad.rows('Not presented yet').map((cells) => cells('presentations'))]);
  expect(SPECIES.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});

test('every species has a name of its own, says what it holds and does, and can be presented', () => {
  expect(new Set(LABORATORY.map(({ name }) => name)).size).toBe(LABORATORY.length);
  for (const { holds, does, client, page } of LABORATORY) {
    expect(holds.length * does.length).toBeGreaterThan(0);
    expect(client ?? page).toBeDefined();
  }
});
