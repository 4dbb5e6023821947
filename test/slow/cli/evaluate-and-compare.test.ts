// `evaluate` and `compare` on footage: answers, exit codes, and a clear outcome for every broken file. They run in this
// process, which has the program loaded; one command line also runs in a process of its own. Wrong usage: test/cli.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, runLikeness } from '../../support/command-line.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../../support/faces.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
let folder: string;
let environment: { TMPDIR: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-cli-'));
  environment = { TMPDIR: await mkdtemp(join(folder, 'tmp-')) };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const likeness = (...args: string[]) => runLikeness(args, environment);

/** Runs the built program in a process of its own. */
function likenessInShell(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['bin/likeness', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...environment },
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      done({
        code: code ?? -1,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      }),
    );
  });
}

async function scriptFile(text: string): Promise<string> {
  const path = join(folder, 'script.json');
  await writeFile(path, text);
  return path;
}

describe('in a process of its own', () => {
  it.skipIf(!HAS_FACES)(
    'exits with 3 for a broken video, gives a reason, and leaves nothing behind',
    async () => {
      const broken = facePath('video/malformed/truncated_half.mp4');
      const { code, stdout, stderr } = await likenessInShell('evaluate', broken, '--json');
      expect(code).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject({ reason: expect.stringMatching(/^[a-z_]+$/) });
      expect(stderr).not.toMatch(/ {4}at /);
      expect(await readdir(environment.TMPDIR)).toEqual([]);
    },
  );
});

describe.skipIf(!HAS_FACES)(`on footage (FACES_DIR: ${FACES_DIR})`, () => {
  it('evaluates: JSON for programs', async () => {
    const script = await scriptFile(
      '{"steps":[{"prompt":"neutral","from_ms":0,"to_ms":600},{"prompt":"smile","from_ms":600,"to_ms":2500}]}',
    );
    const plot = join(environment.TMPDIR, 'curves.svg');
    const photo = facePath('negative/malformed/exif_orientation_6.jpg');
    const { code, stdout } = await likeness(
      'evaluate',
      facePath('video/liveportrait/d0.mp4'),
      '--json',
      '--script',
      script,
      '--reference',
      photo,
      facePath('video/derived/mirror_d0.mp4'),
      '--plot',
      plot,
      '--reference',
      facePath('negative/malformed/white.jpg'),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      liveness_result: { face: true, smile: true, spoof_result: true, overall: true },
      reasons: [],
      cues: { smile: { status: 'passed', value: 1, threshold: 1, reason: null } },
      best_frame: { time_ms: expect.any(Number) },
      comparisons: [
        { reference: photo, result: 'fail', score: expect.any(Number), likeness_features: { nose: 'Fail' } },
        { result: 'pass', likeness_features: { nose: 'Pass' } },
        { result: 'notEvaluated', reason: 'face_missing' },
      ],
      timings_ms: { decode: expect.any(Number), track: expect.any(Number), total: expect.any(Number) },
    });
    const svg = await readFile(plot, 'utf8');
    for (const shown of ['head to the left', 'head up', 'identity', 'motion', 'neutral', 'smile', 'answered'])
      expect(svg).toContain(`>${shown}<`);
    expect(svg.match(/<path fill="none"/g)!.length).toBeGreaterThanOrEqual(4);
  });

  it('evaluates: a table for people', async () => {
    const { code, stdout } = await likenessInShell('evaluate', facePath('video/derived/still_loop_d0.mp4'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/spoof_result +fail/);
    expect(stdout).toMatch(/picture_alive +failed +\d+ +200 +picture_broken/);
    expect(stdout).toMatch(/not evaluated, too_still: .*freeze/);
    expect(stdout).toMatch(/^time +prompt +faces +smile +happy +left +up/m);
    expect(stdout).toMatch(/^4\.\d\d s +– +1 +0\.\d\d/m);
  });

  // test/evaluation/video/decode.test.ts has every kind of broken file.
  it.each([
    'zero_bytes',
    'corrupt_bytes',
    'one_frame',
  ])('cannot judge %s: exit 3 with a reason, nothing left behind', async (name) => {
    const { code, stdout, stderr } = await likeness(
      'evaluate',
      facePath(`video/malformed/${name}.mp4`),
      '--json',
    );
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ reason: expect.stringMatching(/^[a-z_]+$/) });
    expect(stderr).not.toMatch(/ {4}at /);
    expect((await readdir(environment.TMPDIR)).filter((entry) => entry.startsWith('likeness-'))).toEqual([]);
  });

  it('judges a black video, which shows no face', async () => {
    const { code, stdout } = await likeness('evaluate', facePath('video/malformed/all_black.mp4'), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ liveness_result: { face: false }, best_frame: null });
  });

  it('compares a BMP with a CMYK picture of the same person', async () => {
    const { code, stdout } = await likeness(
      'compare',
      facePath('negative/malformed/bmp_named_jpg.jpg'),
      facePath('negative/malformed/cmyk.jpg'),
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      score: expect.any(Number),
      result: 'pass',
      likeness_features: { mouth: 'Pass' },
    });
  });
});
