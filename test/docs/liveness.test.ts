// The table of checks in docs/liveness.md: one row for each check, in the order of the diagnostics, with what it
// decides and which attacks it alone refuses, as its record has it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS } from '../../src/evaluation/liveness/checks.ts';

const document = readFileSync(resolve(import.meta.dirname, '../../docs/liveness.md'), 'utf8');

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
