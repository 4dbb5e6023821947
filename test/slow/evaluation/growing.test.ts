// Judging a video while it is recorded gives bit for bit the judgement of the complete file, whatever the sizes of its
// chunks and the pauses between them. It ends as early as it can when the video is refused, aborted or does not arrive.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Script } from '../../../src/contract/script.ts';
import { judge, judgeGrowing } from '../../../src/evaluation/judge.ts';
import { DEFAULT_SETTINGS, type EvaluationSettings } from '../../../src/evaluation/settings.ts';
import { digestOf } from '../../evaluation/judgement-digest.ts';
import { useModels } from '../../evaluation/picture.ts';
import { keptClips, testPicture } from '../../evaluation/video/make-clip.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../../support/faces.ts';

const held = useModels();
const clips = keptClips();
let tempDir: string;
let settings: EvaluationSettings;

beforeAll(async () => {
  tempDir = await mkdtemp(join(tmpdir(), 'growing-'));
  settings = { ...DEFAULT_SETTINGS, video: { ...DEFAULT_SETTINGS.video, tempDir } };
});
afterAll(() => rm(tempDir, { recursive: true, force: true }));

const script: Script = {
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: 600 },
    { prompt: 'smile', from_ms: 600, to_ms: 1500 },
  ],
};
const known = { script, references: [] };

/** Yields the bytes, cut at these shares of their length, with a pause before each part. */
async function* growing(bytes: Uint8Array, cuts: readonly number[], pausesMs: readonly number[]) {
  const ends = [...cuts.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b), bytes.length];
  let from = 0;
  for (const [i, end] of ends.entries()) {
    await pause(pausesMs[i % pausesMs.length] ?? 0);
    yield bytes.subarray(from, end);
    from = end;
  }
}

/** Yields the given bytes and then never anything more. */
async function* stalling(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  await new Promise(() => {});
}

const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M'];
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '12', '-pix_fmt', 'yuv420p'];
const FRAGMENTED = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'];

describe.skipIf(!HAS_FACES)(`a video that grows (FACES_DIR: ${FACES_DIR})`, () => {
  const clip = (name: string, codec: readonly string[]) =>
    clips.make(
      name,
      [
        ['-t', '2.2', '-i', facePath('video/liveportrait/d0.mp4')],
        ['-vf', 'scale=320:320,fps=24', '-an', ...codec],
      ].flat(),
    );

  it.each([
    ['vp8.webm', [...VP8, '-live', '1']],
    ['vp9.webm', VP9],
    ['fragmented.mp4', [...H264, ...FRAGMENTED]],
    ['index-first.mp4', [...H264, '-movflags', '+faststart']],
    ['index-last.mp4', H264],
  ])('%s is judged like the complete file', async (name, codec) => {
    const bytes = await readFile(await clip(name, codec));
    const complete = await judge({ video: bytes, ...known, settings }, held.models);
    expect(complete).toMatchObject({ status: 'judged', bestFrame: { timeMs: expect.any(Number) } });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }),
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 5 }),
        async (cuts, pausesMs) => {
          let asked = 0;
          const context = async () => {
            asked++;
            return known;
          };
          const video = growing(bytes, cuts, pausesMs);
          const grown = await judgeGrowing({ video, context, settings }, held.models);
          expect(digestOf(grown)).toBe(digestOf(complete));
          expect(asked).toBe(1);
        },
      ),
      { numRuns: 2 },
    );
    expect(await readdir(tempDir)).toEqual([]);
  });

  it('leaves out what was recorded long after the end of the script, which is known only at the end', async () => {
    const long = await clips.make('long.webm', [
      '-t',
      '6',
      '-i',
      facePath('video/liveportrait/d19.mp4'),
      '-vf',
      'scale=240:240,fps=15',
      '-an',
      ...VP8,
    ]);
    const bytes = await readFile(long);
    const complete = await judge({ video: long, ...known, settings }, held.models);
    const context = async () => known;
    const video = growing(bytes, [0.3, 0.9], [0, 50]);
    const grown = await judgeGrowing({ video, context, settings }, held.models);
    expect(digestOf(grown)).toBe(digestOf(complete));
    if (grown.status !== 'judged') throw new Error(grown.reason);
    expect(grown.clip.durationMs).toBeCloseTo(4500, -2);
    expect(grown.clip.fileDurationMs).toBeCloseTo(6000, -2);
  });

  it('decodes frames before the last byte has arrived', async () => {
    const bytes = await readFile(await clip('vp9.webm', VP9));
    let completeAt = 0;
    const video = async function* () {
      yield bytes.subarray(0, bytes.length - 100);
      await pause(1500);
      completeAt = performance.now();
      yield bytes.subarray(bytes.length - 100);
    };
    const grown = await judgeGrowing({ video: video(), context: async () => known, settings }, held.models);
    const restMs = performance.now() - completeAt;
    if (grown.status !== 'judged') throw new Error(grown.reason);
    expect(grown.timingsMs.rest).toBeLessThanOrEqual(restMs);
    expect(grown.timingsMs.rest).toBeLessThan(grown.timingsMs.total - 1400);
  });
});

describe('a video that grows, when it is refused or broken off', () => {
  const movie = async () =>
    readFile(await clips.make('grows.webm', [...testPicture('320x240', 24, 3), ...VP8]));
  const long = async () =>
    readFile(await clips.make('grows-long.webm', [...testPicture('320x240', 60, 4), ...VP8]));
  const judging = (video: AsyncIterable<Uint8Array>, video_: Partial<EvaluationSettings['video']> = {}) => ({
    video,
    context: async () => known,
    settings: { ...settings, video: { ...settings.video, ...video_ } },
  });
  const childrenOf = () =>
    execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' });

  it.each([
    ['not_a_video', async () => Buffer.from('this is no video at all, and goes on')],
    ['decode_failed', async () => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(90_000, 7)])],
  ] as const)('%s is returned without waiting for the rest', async (reason, head) => {
    let asked = false;
    const context = async () => {
      asked = true;
      return known;
    };
    const input = { ...judging(stalling(await head())), context };
    expect(await judgeGrowing(input, held.models)).toEqual({ status: 'notJudged', reason });
    expect(asked).toBe(false);
  });

  it.each([
    ['too_long', { maxDurationMs: 2_000 }],
    ['too_long', { maxSourceFrames: 100 }],
    ['too_many_pixels', { maxDecodedPixels: 320 * 240 * 100 }],
  ] as const)('%s is known before the rest has arrived: %j', async (reason, limit) => {
    const bytes = await long();
    const most = bytes.subarray(0, 0.9 * bytes.length);
    expect(await judgeGrowing(judging(stalling(most), limit), held.models)).toEqual({
      status: 'notJudged',
      reason,
    });
    expect(childrenOf()).not.toContain('pipe:');
  });

  it('tells how much film has arrived, and ends with what its listener throws', async () => {
    const bytes = await long();
    const input = judging(stalling(bytes.subarray(0, 0.9 * bytes.length)));
    const told: number[] = [];
    const onFilm = ({ lengthMs }: { lengthMs: number }) => {
      told.push(lengthMs);
      if (lengthMs > 2_000) throw new Error('more than there can be');
    };
    await expect(judgeGrowing({ ...input, onFilm }, held.models)).rejects.toThrow('more than there can be');
    expect(told.at(-1)).toBeLessThan(0.95 * 4_000);
    expect(childrenOf()).not.toContain('pipe:');
  });

  it('refuses a video over any limit of size, and an empty one', async () => {
    const bytes = await movie();
    const reason = async (...[video, changed]: Parameters<typeof judging>) => {
      const judged = await judgeGrowing(judging(video, changed), held.models);
      return judged.status === 'notJudged' ? judged.reason : judged.status;
    };
    expect(await reason(growing(bytes, [0.2, 0.5], [5]), { maxBytes: bytes.length - 1 })).toBe(
      'too_many_bytes',
    );
    expect(await reason(stalling(bytes), { maxBytes: 20 })).toBe('too_many_bytes');
    expect(await reason(growing(new Uint8Array(), [], [5]))).toBe('empty_file');
    expect(await reason(growing(bytes, [0.5], [5]), { maxPixels: 1000 })).toBe('too_large_dimensions');
    expect(await reason(growing(bytes, [0.5], [5]), { maxDurationMs: 2000 })).toBe('too_long');
    expect(await reason(growing(bytes, [0.5], [5]), { maxDecodedPixels: 320 * 240 * 50 })).toBe(
      'too_many_pixels',
    );
  });

  it('does not blame the decoder for bytes that come late', async () => {
    const bytes = await movie();
    const slow = judging(growing(bytes, [0.1, 0.4, 0.7], [1200]), { timeoutMs: 2500 });
    expect(await judgeGrowing(slow, held.models)).toMatchObject({ status: 'judged' });
  });

  it.each([
    ['before the first byte', 0],
    ['in the middle', 0.5],
  ])('ends at the abort signal while no bytes arrive, %s', async (_, share) => {
    const bytes = await movie();
    const abort = new AbortController();
    const video = stalling(bytes.subarray(0, share * bytes.length));
    const started = judgeGrowing({ ...judging(video), signal: abort.signal }, held.models);
    setTimeout(() => abort.abort(new Error('enough')), 300);
    await expect(started).rejects.toThrow('enough');
    expect(childrenOf()).not.toContain('pipe:');
    expect(await readdir(tempDir)).toEqual([]);
  });

  it('leaves no process behind, however early it is broken off', async () => {
    const bytes = await movie();
    for (let afterMs = 0; afterMs < 24; afterMs += 2) {
      const abort = new AbortController();
      const started = judgeGrowing({ ...judging(stalling(bytes)), signal: abort.signal }, held.models);
      setTimeout(() => abort.abort(new Error('enough')), afterMs);
      await expect(started).rejects.toThrow('enough');
    }
    expect(childrenOf()).not.toContain('pipe:');
  });

  it('rejects with the error of the byte source or of the context', async () => {
    const bytes = await movie();
    const lost = async function* () {
      yield bytes.subarray(0, bytes.length / 2);
      await pause(100);
      throw new Error('the database is away');
    };
    await expect(judgeGrowing(judging(lost()), held.models)).rejects.toThrow('the database is away');
    const context = () => Promise.reject(new Error('no script'));
    const input = { ...judging(growing(bytes, [0.5], [10])), context };
    await expect(judgeGrowing(input, held.models)).rejects.toThrow('no script');
    expect(childrenOf()).not.toContain('pipe:');
  });
});
