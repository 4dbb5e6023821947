import { expect, it } from 'vitest';
import { cueTable } from '../../src/cli/cue-table.ts';

it('shows what decided first, and folds what was not evaluated by its reason', () => {
  const cue = (name: string, status: string, reason: string | null, value: number | null = 0.5) => ({
    cue: name,
    status,
    reason,
    value,
    threshold: value === null ? null : 0.25,
  });
  const lines = cueTable([
    cue('sharpness', 'passed', null),
    cue('rigid', 'notEvaluated', 'too_still', null),
    cue('hard_cut', 'failed', 'picture_broken'),
    cue('pad', 'notEvaluated', 'no_script', null),
    cue('contrary', 'notEvaluated', 'too_still', null),
  ] as unknown as Parameters<typeof cueTable>[0]);
  expect(lines.map((line) => line.split(/ {2,}/)[0])).toEqual([
    'cue',
    'hard_cut',
    'sharpness',
    expect.stringMatching(/^not evaluated, too_still: .+: rigid, contrary$/),
    expect.stringMatching(/^not evaluated, no_script: .+: pad$/),
  ]);
});
