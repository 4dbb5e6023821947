// The reporter in a run of vitest of its own, over tests that fail the first time.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const REPORTER = join(ROOT, 'test/support/retried.ts');

/** A file of tests, of which `flaky` fail the first time and one does not. */
const fileOf = (flaky: number) => `
  import { expect, it } from 'vitest';
  const seen = new Set();
  const isAgain = (index) => seen.has(index) || !seen.add(index);
  it('steady', () => {});
  for (let index = 1; index <= ${flaky}; index++)
    it('flaky ' + index, () => expect(isAgain(index), 'the first time').toBe(true));`;

/** Runs such a file; returns the exit code, and what the reporter says. */
function run(flaky: number, retries: number): { status: number | null; said: string[] } {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  // Inside the project, where vitest is found.
  const folder = mkdtempSync(join(ROOT, 'build/retried-'));
  try {
    writeFileSync(join(folder, 'some.test.ts'), fileOf(flaky));
    writeFileSync(join(folder, 'vitest.config.js'), 'export default {};');
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const args = ['run', '--root', folder, `--retry=${retries}`, `--reporter=${REPORTER}`];
    const { status, stderr } = spawnSync(process.execPath, [vitest, ...args], { encoding: 'utf8' });
    return { status, said: stderr.split('\n').filter((line) => line.startsWith('likeness: ')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const named = (index: number) =>
  expect.stringMatching(
    new RegExp(`^likeness: passed when it was run again: some.test.ts: flaky ${index}: the first time`),
  );

it('two tests may pass on a retry, and are named', () => {
  expect(run(2, 1)).toEqual({ status: 0, said: [named(1), named(2)] });
});

it('a third fails the run', () => {
  expect(run(3, 1)).toEqual({
    status: 1,
    said: [
      named(1),
      named(2),
      named(3),
      'likeness: 3 tests passed only when they were run again, and at most 2 may',
    ],
  });
});

it('a test that fails without a retry is no such test', () => {
  expect(run(1, 0)).toEqual({ status: 1, said: [] });
});
