// How `bench recognition` refuses wrong usage; test/slow/cli tests its results.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runLikeness } from '../support/command-line.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-bench-'));
  for (const name of ['a.png', 'b.png']) await writeFile(join(folder, name), '');
});
afterAll(() => rm(folder, { recursive: true }));

async function bench(pairs: string, ...args: string[]) {
  const list = join(folder, 'pairs.csv');
  await writeFile(list, `file_a,file_b,same\n${pairs}\n`);
  const command = ['bench', 'recognition', '--root', folder, '--jobs', '1', '--pairs', list, ...args];
  return runLikeness(command, { HOME: folder });
}

it.each([
  ['files that are missing', 'gone.png,a.png,1', [], /cannot read .*gone\.png/],
  [
    'labels that contradict each other',
    'a.png,b.png,1\na.png,b.png,0',
    [],
    /a\.png and b\.png different people/,
  ],
  ['an invalid number of processes', 'a.png,b.png,1', ['--jobs', 'many'], /--jobs/],
  ['an invalid factor', 'a.png,b.png,1', ['--worst-group-factor', '0.5'], /--worst-group-factor/],
])('%s are reported before a file is read', async (_, pairs, args, message) => {
  const { code, stdout, stderr } = await bench(pairs, '--cache', join(folder, 'cache'), ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/templates are kept/);
});

it('with --all-strangers it says how many files have no identity', async () => {
  const people = join(folder, 'people.csv');
  await writeFile(people, 'file,identity\na.png,Ann\n');
  const args = ['--cache', join(folder, 'cache'), '--identities', people];
  const { stderr } = await bench('gone.png,a.png,0', '--all-strangers', ...args);
  expect(stderr).toMatch(/1 of 2 files are not in the --identities lists/);
  expect((await bench('gone.png,a.png,0', ...args)).stderr).not.toMatch(/--identities lists/);
});

it('a missing pack is named', async () => {
  const { code, stderr } = await bench('a.png,b.png,0', '--pack', 'arcface');
  expect(code).toBe(1);
  expect(stderr).toMatch(/PACK_MISSING/);
});
