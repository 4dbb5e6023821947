// The table of checks in docs/liveness.md: one row for each check, in the order of the diagnostics, with what it
// decides and which attacks it alone refuses, as its record has it; and the records say what was measured.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS } from '../../src/evaluation/liveness/checks.ts';
import { publishedChecks } from '../../src/lab/assurance/published-checks.ts';
import { readPublishedFile } from '../../src/lab/assurance/published-tables.ts';
import { evidence } from '../evaluation/liveness/evidence.ts';

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8');
const document = read('docs/liveness.md');

test('docs/liveness.md lists every check as its record has it', () => {
  const [table] = document.split('## The checks')[1]!.split('## Error rates');
  const listed = [...table!.matchAll(/^\| `(\w+)` \|.*\|([^|]*)\|([^|]*)\|$/gm)];
  expect(listed.map(([, cue, decides, alone]) => [cue, decides!.trim(), alone!.trim()])).toEqual(
    CHECKS.map(({ cue, role, refuses }) => [
      cue,
      role.kind === 'gate' ? role.of.join(', ') : '–',
      refuses.join(', ') || '–',
    ]),
  );
});

/** The table's own number; what depends on the pack or the script has none of its own. */
const limitOf = (passes: string) => Number(/^[≥≤]? ?([\d.]+)(?: ms)?$/.exec(passes)?.[1] ?? Number.NaN);

test('docs/liveness.md names the thresholds that the checks use', () => {
  const shown = evidence({});
  const used = CHECKS.flatMap((check) => {
    const { threshold } = check.run(shown);
    const { passes } = publishedChecks()!.find(({ check: name }) => name === check.cue)!;
    return threshold === null || Number.isNaN(limitOf(passes))
      ? []
      : [[check.cue, threshold, limitOf(passes)]];
  });
  expect(used.length).toBeGreaterThan(12);
  for (const [cue, threshold, written] of used) expect(written, String(cue)).toBe(threshold);
});

/** Species that the check alone refused, in either table. */
function refusedAlone(cue: string): string[] {
  const published = readPublishedFile(read('bench/RESULTS-PAD.md'));
  const tables = ['Judged against a script', 'Passive checks alone'].flatMap((judged) =>
    published.rows(`${judged}: what each check alone refuses`),
  );
  const cells = tables
    .filter((row) => row('check') === cue)
    .map((row) => row('species that it alone refuses')!);
  return cells.flatMap((cell) => [...cell.matchAll(/[a-z]\w+/g)].map(([species]) => species));
}

test.each(
  CHECKS,
)('the record of $cue names species that it alone refused when that was measured', (check) => {
  expect(refusedAlone(check.cue)).toEqual(expect.arrayContaining([...check.refuses]));
  if (check.refuses.length === 0) expect(refusedAlone(check.cue)).toEqual([]);
});

/** Rows of the page's tables of five figures, by the name of their species. */
const quoted = (name: RegExp): [string, string[]][] =>
  document.split('\n').flatMap((line) => {
    const [first = '', ...figures] = line.split('|').slice(1, -1);
    const species = name.exec(first.trim())?.[1];
    return species && figures.length === 5 && figures[0]!.trim() !== 'n'
      ? [[species, figures.map((cell) => cell.trim())] as [string, string[]]]
      : [];
  });

test.each([
  ['INJECT', 'Attacks', 'species', /\(`(\w+)`\)$/, 'APCER', 'APCER at the first try'],
  [
    'PAD',
    'Judged against a script',
    'presentations',
    /^(\w+)(?: \(level `\w+`\))?$/,
    'APCER / BPCER',
    'sent back',
  ],
] as const)('docs/liveness.md quotes the table of bench:%s', (file, title, key, name, rate, last) => {
  const published = readPublishedFile(read(`bench/RESULTS-${file}.md`)).rows(title);
  const rows = quoted(name);
  expect(rows.length).toBeGreaterThan(5);
  for (const [species, figures] of rows) {
    const row = published.find((cells) => cells(key) === species);
    const columns = ['n', 'subjects', rate, '95 %', last];
    expect(figures, species).toEqual(columns.map((column) => row?.(column)));
  }
});

/** Environments that one row of the page's table stands for; within the limits, unless it says otherwise. */
const ENVIRONMENTS: readonly [string, readonly string[]][] = [
  ['all within the limits', ['all']],
  ['with glasses', ['with glasses']],
  ['usual light', ['usual', 'pulsing_lamp', 'lamp_steps', 'bars', 'rolled', 'mirrored', 'low_bit_rate']],
  ['dim with grain', ['dim_with_grain']],
  ['10 to 60 frames', ['frame_rate']],
  ['far away', ['far_away']],
  ['over-exposed', ['over_exposed', 'back_light_mild']],
  ['back light, medium', ['back_light_medium', 'greyscale', 'mirrored_without_pointer']],
  ['back light, strong', ['back_light_strong']],
  ['all beyond the limits', ['all']],
];

test.each(ENVIRONMENTS)('docs/liveness.md quotes what honest people meet: %s', (name, environments) => {
  const limits = name.includes('beyond') ? 'beyond' : 'within';
  const rows = readPublishedFile(read('bench/RESULTS-PAD.md'))
    .rows('Judged against a script: what honest people meet')
    .filter((row) => environments.includes(row('environment')!) && row('limits') === limits);
  expect(rows.length).toBe(environments.length);
  const line = document.split('\n').find((each) => each.startsWith(`| ${name}`))!;
  const [, n, , first, interval, inThree] = line.split('|').slice(1, -1);
  // What is the same in all of them is said once.
  const of = (column: string) => {
    const cells = environments.map((each) => rows.find((row) => row('environment') === each)!(column)!);
    return new Set(cells).size === 1 ? cells[0] : cells.join('; ');
  };
  expect([Number(n), first!.trim(), inThree!.trim()]).toEqual([
    rows.reduce((sum, row) => sum + Number(row('n')), 0),
    of('first try'),
    of('in 3 tries'),
  ]);
  if (rows.length === 1) expect(interval!.trim()).toBe(of('95 %'));
});

test('docs/liveness.md says how many honest people were refused for good', () => {
  const [within] = readPublishedFile(read('bench/RESULTS-PAD.md')).rows(
    'Judged against a script: what honest people meet',
  );
  const [refused, n] = [Number(within!('refused for good')), Number(within!('n'))];
  const share = ((100 * refused) / n).toFixed(1);
  expect(document.replace(/\s+/g, ' ')).toContain(`refused for good (${refused} of ${n}, ${share} %;`);
});

test('docs/liveness.md begins with what honest people meet and what passes', () => {
  const [within] = readPublishedFile(read('bench/RESULTS-PAD.md')).rows(
    'Judged against a script: what honest people meet',
  );
  const attacks = readPublishedFile(read('bench/RESULTS-INJECT.md')).rows('Attacks');
  const passed = [
    'puppet_100_ms',
    'searching_pose_grid',
    'searching_live_swap',
    'searching_warped_footage',
    'searching_action_library_rest',
  ].map((name) => attacks.find((row) => row('species') === name)!('APCER'));
  const [lead] = document.split('\n## ');
  const stated = [...lead!.matchAll(/[\d.]+ %/g)].map(([figure]) => figure);
  expect(stated).toEqual([within!('first try'), within!('in 3 tries'), ...passed]);
});

test('docs/liveness.md says what passed with takes of real people', () => {
  const real = readPublishedFile(read('bench/RESULTS-INJECT.md'))
    .rows('Attacks with takes of real people and of rendered ones')
    .filter((row) => row('take') === 'real' && row('species')!.startsWith('searching_'));
  const text = document.replace(/\s+/g, ' ');
  const warped = real.filter((row) => row('species') === 'searching_warped_footage');
  for (const rows of [warped, real.filter((row) => !warped.includes(row))]) {
    const [accepted, n] = ['accepted', 'n'].map((column) =>
      rows.reduce((sum, row) => sum + Number(row(column)), 0),
    );
    expect(text).toContain(`${accepted} of ${n} `);
    for (const row of rows) expect(text).toContain(`persons, ${row('95 %')} %)`);
  }
});
