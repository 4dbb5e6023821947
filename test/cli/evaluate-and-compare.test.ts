// `evaluate`, `compare` and `bench pad` without footage: wrong usage, and where they run. They run in this process, which
// has the program loaded.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLikeness } from '../support/command-line.ts';

let folder: string;
let environment: { TMPDIR: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-cli-'));
  environment = { TMPDIR: await mkdtemp(join(folder, 'tmp-')) };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const likeness = (...args: string[]) => runLikeness(args, environment);

async function scriptFile(text: string): Promise<string> {
  const path = join(folder, 'script.json');
  await writeFile(path, text);
  return path;
}

it('judges and compares in production mode, as in a container, without a key or an address', async () => {
  const inProduction = (...args: string[]) => runLikeness(args, { ...environment, MODE: 'production' });
  const noVideo = join(folder, 'no-video.webm');
  await writeFile(noVideo, 'no video');
  for (const args of [
    ['evaluate', noVideo],
    ['compare', noVideo, noVideo],
  ]) {
    const { code, stdout, stderr } = await inProduction(...args);
    expect([code, stderr]).toEqual([3, expect.not.stringContaining('MASTER_KEY')]);
    expect(stdout).toMatch(/not (judged|compared)/);
  }
  const { code, stderr } = await inProduction('accounts', 'list');
  expect([code, stderr]).toEqual([2, expect.stringContaining('MASTER_KEY')]);
});

describe('wrong usage exits with 2 and says what is wrong', () => {
  it.each([
    ['no video', ['evaluate'], /missing required argument/],
    ['no such file', ['evaluate', '/nowhere.webm'], /cannot read \/nowhere.webm/],
    ['a folder', ['compare', '/', '/'], /cannot read|not a regular file/],
    ['an unknown option', ['evaluate', 'x', '--scrpt', 'y'], /unknown option/],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await likeness(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at /);
  });

  it.each([
    ['no JSON', '{', /is not JSON/],
    ['an unknown prompt', '{"steps":[{"prompt":"wink","from_ms":0,"to_ms":9}]}', /is not a script/],
    ['no steps', '{"steps":[]}', /is not a script/],
    [
      'steps out of order',
      '{"steps":[{"prompt":"neutral","from_ms":0,"to_ms":900},{"prompt":"smile","from_ms":800,"to_ms":2000}]}',
      /follow each other/,
    ],
  ])('a script with %s', async (_, text, message) => {
    const { code, stderr } = await likeness('evaluate', 'x.webm', '--script', await scriptFile(text));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('bench pad refuses a wrong list, and names the fault', () => {
  it.each([
    ['an unknown label', 'file,label,attack\na.mp4,perhaps,still\n', /line 2: the label perhaps/],
    ['a video that is not there', 'file,label,attack\na.mp4,attack,still\n', /cannot read .*a\.mp4/],
    ['a script that is not there', 'file,label,attack,script\na.mp4,attack,still,s.json\n', /s\.json/],
  ])('%s', async (_, list, message) => {
    const path = join(folder, 'list.csv');
    await writeFile(path, list);
    const { code, stdout, stderr } = await likeness('bench', 'pad', '--manifest', path, '--root', folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at /);
  });
});
