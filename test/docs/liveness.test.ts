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
