// Pairs files: what is read, what is refused with its line, and which frames are of the same person.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findPeople,
  readIdentities,
  readPairs,
  requireConsistentIdentities,
} from '../../src/lab/recognition/pairs-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-pairs-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(...lines: string[]): Promise<string> {
  const path = join(folder, 'pairs.csv');
  await writeFile(path, `\ufeff${lines.join('\r\n')}\r\n`);
  return path;
}

it('reads pairs with frames and additional columns, in any order', async () => {
  const path = await file(
    'same,light,file_b,file_a',
    '1,"day, bright",b.jpg,a1.jpg|a2.jpg',
    '0,,c.jpg,a1.jpg',
  );
  expect(await readPairs(path)).toEqual([
    { probe: ['a1.jpg', 'a2.jpg'], reference: ['b.jpg'], same: true, columns: { light: 'day, bright' } },
    { probe: ['a1.jpg'], reference: ['c.jpg'], same: false, columns: { light: '' } },
  ]);
});

describe('refuses', () => {
  it.each([
    ['a missing column', ['file_a,same', 'a.png,1'], /no column file_b/],
    [
      'a ground truth other than 0 or 1',
      ['file_a,file_b,same', 'a.png,b.png,maybe'],
      /line 2: same is "maybe"/,
    ],
    ['a file outside the root', ['file_a,file_b,same', '../a.png,b.png,1'], /line 2: ..\/a.png lies outside/],
    ['an absolute path', ['file_a,file_b,same', '/etc/passwd,b.png,1'], /outside the root/],
    ['a side without a file', ['file_a,file_b,same', 'a.png|,b.png,1'], /file name is missing/],
    ['no rows', ['file_a,file_b,same'], /no rows/],
    ['rows of different lengths', ['file_a,file_b,same', 'a.png,b.png'], /pairs\.csv: .*line 2/],
  ])('%s', async (_, lines, message) => {
    await expect(readPairs(await file(...lines))).rejects.toThrow(message);
  });
});

describe('people', () => {
  const pair = (a: string, b: string, same: boolean) => ({
    probe: a.split('|'),
    reference: b.split('|'),
    same,
    columns: {},
  });

  it('are joined by genuine pairs; all others are separate', () => {
    const pairs = [
      pair('a1', 'a2', true),
      pair('a2', 'a3', true),
      pair('a1', 'b1', false),
      pair('c1|c2', 'b1', false),
    ];
    const people = findPeople([...pairs, pair('c2', 'c3', true)], new Map());
    const of = (...frames: string[]) => people.indexOf(frames);
    expect(people.count).toBe(3);
    expect(new Set([of('a1'), of('a2'), of('a3')]).size).toBe(1);
    expect(new Set([of('c1', 'c2'), of('c2'), of('c3')]).size).toBe(1);
    expect(new Set([of('a1'), of('b1'), of('c3')]).size).toBe(3);
  });

  it('come from the identities file where it names them', async () => {
    const path = await file('file,identity', 'a1,Ann', 'a2,Ann', 'b1,Ben');
    const identities = await readIdentities([path]);
    const people = findPeople([pair('a1', 'b1', false), pair('a2', 'x1', false)], identities);
    expect(people.indexOf(['a1'])).toBe(people.indexOf(['a2']));
    expect(people.count).toBe(3);
  });

  it('are named when labels and identities disagree', () => {
    const identities = new Map([
      ['a1', 'Ann'],
      ['a2', 'Ann'],
      ['b1', 'Ben'],
    ]);
    const check = (...pairs: ReturnType<typeof pair>[]) => requireConsistentIdentities(pairs, identities);
    expect(() => check(pair('a1', 'a2', true), pair('a1', 'b1', false))).not.toThrow();
    expect(() => check(pair('a1', 'b1', true))).toThrow(/a1 and b1 .* Ann and Ben/);
    expect(() => check(pair('a1|b1', 'c1', false))).toThrow(/a1 and b1/);
    expect(() => check(pair('a1', 'a2', false))).toThrow(/a1 and a2 different people/);
    expect(() => check(pair('c1', 'c2', true), pair('c2', 'c3', true), pair('c1', 'c3', false))).toThrow(
      /c1 and c3 different people/,
    );
  });
});
