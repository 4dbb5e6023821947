// The reporter in a run of vitest of its own, over tests that fail the first time; and in all the runs of .ci/run.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const VITEST = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'];
const REPORTER = `--reporter=${join(ROOT, 'test/support/retried.ts')}`;

/** A file of tests, of which `flaky` fail the first time and one does not. */
const fileOf = (flaky: number) => `
  import { expect, it } from 'vitest';
  const seen = new Set();
  const isAgain = (index) => seen.has(index) || !seen.add(index);
  it('steady', () => {});
  for (let index = 1; index <= ${flaky}; index++)
    it('flaky ' + index, () => expect(isAgain(index), 'the first time').toBe(true));`;

/** A project of its own, inside this one, where vitest is found. */
let folder: string;
beforeEach(() => {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'build/retried-'));
  writeFileSync(join(folder, 'vitest.config.js'), 'export default {};');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const saidIn = (text: string) => text.split('\n').filter((line) => line.startsWith('likeness: '));

/** Runs such a file; returns the exit code, and what the reporter says. */
function run(flaky: number, retries: number): { status: number | null; said: string[] } {
  writeFileSync(join(folder, 'some.test.ts'), fileOf(flaky));
  const args = [...VITEST, '--root', folder, `--retry=${retries}`, REPORTER];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, said: saidIn(stderr) };
}

const named = (index: number) =>
  expect.stringMatching(
    new RegExp(`^likeness: passed when it was run again: some.test.ts: flaky ${index}: the first time`),
  );
const tooMany = (count: number) =>
  `likeness: ${count} tests passed only when they were run again, and at most 2 may`;

it('two tests may pass on a retry, and are named', () => {
  expect(run(2, 1)).toEqual({ status: 0, said: [named(1), named(2)] });
  expect(existsSync(join(folder, 'build'))).toBe(false);
});

it('a third fails the run', () => {
  expect(run(3, 1)).toEqual({ status: 1, said: [named(1), named(2), named(3), tooMany(3)] });
});

it('a test that fails without a retry is no such test', () => {
  expect(run(1, 0)).toEqual({ status: 1, said: [] });
});

it('two tests may of all that .ci/run starts, whatever an earlier run left', () => {
  cpSync(join(ROOT, '.ci/run'), join(folder, '.ci/run'));
  mkdirSync(join(folder, 'build'));
  writeFileSync(join(folder, 'build/retried.txt'), 'left\n'.repeat(3));
  writeFileSync(join(folder, 'some.test.ts'), fileOf(1));
  // Every script runs that one file.
  const vitest = [process.execPath, ...VITEST, '--root', folder, '--retry=1', REPORTER];
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\nexec '${vitest.join("' '")}'\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter) };
  const { status, stdout } = spawnSync(join(folder, '.ci/run'), { encoding: 'utf8', env });
  expect(status, stdout).toBe(2);
  expect(saidIn(stdout.split('likeness: 4 tests', 1)[0]!)).toEqual([
    named(1),
    named(1),
    named(1),
    tooMany(3),
    named(1),
  ]);
  expect(stdout).toContain('npm run test:node 22 failed');
  expect(stdout).toContain('npm run test:node 24 failed');
  expect(existsSync(join(folder, 'build/retried.txt'))).toBe(false);
});
