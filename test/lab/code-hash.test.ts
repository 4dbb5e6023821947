// The hash by which kept results of a measurement are found: it changes with the code that they depend on, and no other.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashOfCode } from '../../src/lab/code-hash.ts';

let source: string;
beforeEach(async () => {
  source = await mkdtemp(join(tmpdir(), 'likeness-code-'));
});
afterEach(() => rm(source, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(source, path)), { recursive: true });
  await writeFile(join(source, path), text);
}

it.each([
  ['contract/regions.ts', ['template', 'judgement']],
  ['models/packs/manifest.ts', ['template', 'judgement']],
  ['evaluation/face/mesh.js', ['template', 'judgement']],
  ['evaluation/liveness/fusion.ts', ['judgement']],
  ['lab/pad-judge.ts', ['judgement']],
  ['lab/pad-judge.js', ['judgement']],
  ['featid/template.ts', ['template']],
  ['featid/tables/store.ts', []],
  ['compile-models/widen.ts', ['template', 'judgement']],
  ['lab/pad-report.ts', []],
  ['http/app.ts', []],
  ['contract/notes.md', []],
])('changes with %s for %j', async (path, changed) => {
  await write('contract/other.ts', 'export {};');
  const kinds = ['template', 'judgement'] as const;
  const hashes = () => Promise.all(kinds.map((kind) => hashOfCode(kind, source)));
  await write(path, 'export const a = 1;');
  const before = await hashes();
  expect(await hashes()).toEqual(before);
  await write(path, 'export const a = 2;');
  const after = await hashes();
  expect(kinds.filter((_, at) => before[at] !== after[at])).toEqual(changed);
});

it('finds the code that runs', async () => {
  const nothing = await hashOfCode('judgement', source);
  expect(await hashOfCode('judgement')).not.toBe(nothing);
  expect(await hashOfCode('template')).not.toBe(nothing);
});
