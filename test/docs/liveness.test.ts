// The table of checks in docs/liveness.md: one row for each check, in the order of the diagnostics, with what it
// decides and which attacks it alone refuses, as its record has it; and the records say what was measured.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS } from '../../src/evaluation/liveness/checks.ts';
import { readPublishedFile } from '../../src/lab/assurance/published-tables.ts';

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
