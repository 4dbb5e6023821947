// `bench recognition` as a shell runs it, on a handful of pictures that need no footage: its answer, files and cache.
// test/cli covers how it refuses wrong usage.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REGION_NAMES } from '../../../src/contract/regions.ts';
import { demoPhoto } from '../../evaluation/picture.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-bench-'));
  const portraits = {
    a: { left: 1046, top: 247, width: 440, height: 440 },
    b: { left: 1375, top: 220, width: 430, height: 430 },
  };
  for (const [name, box] of Object.entries(portraits)) {
    const cut = await sharp(demoPhoto(6)).extract(box).png().toBuffer();
    await sharp(cut).toFile(join(folder, `${name}.png`));
    await sharp(cut)
      .resize(300)
      .modulate({ brightness: 0.8 })
      .toFile(join(folder, `${name}-darker.png`));
  }
  await sharp({ create: { width: 200, height: 200, channels: 3, background: '#fff' } }).toFile(
    join(folder, 'nobody.png'),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function bench(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'src/cli/program.ts',
      'bench',
      'recognition',
      '--root',
      folder,
      '--jobs',
      '1',
      ...args,
    ],
    { cwd: ROOT, env: { PATH: process.env.PATH, HOME: folder } },
  );
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      done({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}

async function pairsFile(...lines: string[]): Promise<string> {
  const path = join(folder, 'pairs.csv');
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

describe('on five pictures', () => {
  const PAIRS = [
    'file_a,file_b,same,light',
    'a.png,a-darker.png,1,mixed',
    'b.png,b-darker.png,1,mixed',
    'a.png|a-darker.png,b.png,0,day',
    'a-darker.png,b-darker.png,0,dark',
    'a.png,nobody.png,1,day',
  ];

  it('answers as the contract says, writes report and results, keeps templates and deletes them', async () => {
    const pairs = await pairsFile(...PAIRS);
    const cache = join(folder, 'cache');
    const common = ['--pairs', pairs, '--cache', cache, '--json'];
    const { code, stdout, stderr } = await bench(
      ...common,
      '--groups',
      'light',
      '--out',
      join(folder, 'out'),
    );
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stderr).toContain(cache);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({
      pairs: 4,
      genuine: 2,
      impostor: 2,
      people: 2,
      files: 5,
      failures_to_acquire: 1,
      accuracy: 1,
      eer: 0,
      fnmr_at_fmr: { '1e-2': 0, '1e-3': 0, '1e-4': 0 },
      at_operating_point: {
        fmr: 0,
        fnmr: 0,
        threshold: expect.any(Number),
        target_fmr: 1e-4,
        threshold_of: 'calibration',
      },
      failures: [{ file: 'nobody.png', reason: 'face_missing' }],
      // Two impostor pairs are too few to calibrate a threshold.
      suggested_thresholds: [],
    });
    for (const interval of [
      answer.accuracy_interval,
      answer.eer_interval,
      answer.fnmr_at_fmr_intervals['1e-3'],
      answer.at_operating_point.fmr_interval,
      answer.at_operating_point.fnmr_interval,
    ])
      expect(interval).toEqual([expect.any(Number), expect.any(Number)]);
    // No error among two people is no certainty: the interval stays wide.
    expect(answer.at_operating_point.fnmr_interval[1]).toBeGreaterThan(0.5);
    expect(Object.keys(answer.regions).sort()).toEqual([...REGION_NAMES].sort());
    for (const region of Object.values<{ auc: number; auc_interval: number[] }>(answer.regions)) {
      expect(region.auc).toBe(1);
      expect(region.auc_interval).toHaveLength(2);
    }
    expect(
      answer.groups.map(({ value, pairs: _, ...rest }: { value: string; pairs: number; genuine: number }) => [
        value,
        rest.genuine,
      ]),
    ).toEqual([
      ['mixed', 2],
      ['day', 0],
      ['dark', 0],
    ]);

    const report = await readFile(join(folder, 'out', 'report.html'), 'utf8');
    expect(report.match(/<svg/g)).toHaveLength(2);
    expect(report).toContain('data:image/jpeg;base64,');
    expect(report).not.toMatch(/<script|https?:\/\//);
    expect((await stat(join(folder, 'out', 'report.html'))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(folder, 'out', 'results.json'), 'utf8'))).toEqual(answer);

    const [kept] = await readdir(cache);
    const times = async () =>
      Promise.all(
        (await readdir(join(cache, kept!))).map(
          async (file) => (await stat(join(cache, kept!, file))).mtimeMs,
        ),
      );
    const before = await times();
    expect(before).toHaveLength(5);
    expect((await stat(cache)).mode & 0o777).toBe(0o700);
    const again = await bench(...common);
    expect(await times()).toEqual(before);
    const { groups: _groups, ...same } = answer;
    expect(JSON.parse(again.stdout)).toMatchObject({ ...same, groups: [] });
    // Two processes and an empty cache give the same templates and figures, whichever process made which.
    const other = join(folder, 'other-cache');
    const onTwo = await bench('--pairs', pairs, '--cache', other, '--json', '--jobs', '2');
    expect(JSON.parse(onTwo.stdout)).toEqual(JSON.parse(again.stdout));
    const contents = async (of: string) => {
      const within = join(of, kept!);
      const files = (await readdir(within)).sort();
      return Promise.all(files.map(async (file) => [file, await readFile(join(within, file), 'utf8')]));
    };
    expect(await contents(other)).toEqual(await contents(cache));

    await bench(...common, '--drop-cache');
    await expect(readdir(cache)).rejects.toThrow('ENOENT');
    // Four runs of the command, each of which loads the networks once or twice.
  }, 240_000);
});
