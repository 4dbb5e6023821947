// Decoding real and hostile files: frames, times, limits, and nothing left behind.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type VideoSettings } from '../../../src/evaluation/settings.ts';
import { decodeClip } from '../../../src/evaluation/video/decode.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import type { FrameQueue } from '../../../src/evaluation/video/frame-queue.ts';
import { facePath, HAS_FACES } from '../../support/faces.ts';
import { keptClips, testPicture } from './make-clip.ts';

const clips = keptClips();
let scratch: string;
let tempDir: string;
let settings: VideoSettings;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'decode-'));
  tempDir = await mkdtemp(join(scratch, 'tmp-'));
  settings = { ...DEFAULT_SETTINGS.video, tempDir };
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const QUICK_VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'];
const FRAGMENTS = ['-c:v', 'libx264', '-movflags', 'frag_every_frame+empty_moov+default_base_moof'];
/** Adds sound of so many seconds. */
const sound = (seconds: number) => ['-f', 'lavfi', '-i', `sine=duration=${seconds}`];
/** Mean difference of two films' values, 0–255. */
function meanDifference(one: readonly Frame[], other: readonly Frame[]): number {
  let sum = 0;
  for (const [i, { rgb }] of one.entries())
    for (const [at, value] of rgb.entries()) sum += Math.abs(value - other[i]!.rgb[at]!);
  return sum / (one.length * one[0]!.rgb.length);
}
/** A hash of the frames, because comparing their bytes one by one would take minutes. */
const hashOf = (frames: readonly Frame[]) =>
  frames.map(({ timeMs, rgb }) => [timeMs, createHash('sha256').update(rgb).digest('hex')]);

const collect = async (frames: AsyncIterable<Frame>) => {
  const all: Frame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
};
const decode = (video: Uint8Array | string, changed: Partial<VideoSettings> = {}, signal?: AbortSignal) =>
  decodeClip(video, { ...settings, ...changed }, collect, { signal });

describe('packet times', () => {
  it.each([
    ['whose first pictures cannot be decoded', 'keyless.webm', ['-bsf:v', 'noise=drop=eq(n\\,0)']],
    ['that begins late', 'late.webm', ['-output_ts_offset', '3']],
  ])('are those of the frames, in a file %s', async (_, name, args) => {
    const codec = [...QUICK_VP8, '-auto-alt-ref', '0', '-g', '15', '-keyint_min', '15'];
    const path = await clips.make(name, [...testPicture('160x120', 15, 4), ...codec, ...args, '-live', '1']);
    const result = await decode(path);
    if (result.status !== 'decoded') throw new Error(result.reason);
    const { packets, sourceTimesMs } = result.clip;
    const seen = packets.filter(({ timeMs }) => timeMs >= 0);
    expect(seen.map(({ timeMs }) => Math.round(timeMs))).toEqual(sourceTimesMs);
    expect(packets.length - seen.length).toBe(name === 'late.webm' ? 0 : 14);
  });

  it('are those of the frames if an edit list skips the first ones', async () => {
    const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '250'];
    const whole = await clips.make('whole.mp4', [...testPicture('160x120', 25, 4), ...codec]);
    const path = await clips.make('skips.mp4', ['-ss', '1.3', '-i', whole, '-c', 'copy']);
    const result = await decode(path);
    if (result.status !== 'decoded') throw new Error(result.reason);
    const { packets, sourceTimesMs } = result.clip;
    expect(packets[0]!.timeMs).toBeLessThan(-1_000);
    const seen = packets.filter(({ timeMs }) => timeMs >= -1);
    expect(seen.map(({ timeMs }) => Math.round(timeMs))).toEqual(sourceTimesMs);
  });
});

it('count the pixels of the decoded part, even if an earlier picture cannot be decoded', async () => {
  // The first second has one packet, which depends on missing ones.
  const sparse = ['-bsf:v', 'noise=drop=lt(n\\,15)*not(eq(n\\,1))'];
  const codec = [
    ...QUICK_VP8,
    '-auto-alt-ref',
    '0',
    '-g',
    '15',
    '-keyint_min',
    '15',
    ...sparse,
    '-live',
    '1',
  ];
  const path = await clips.make('sparse.webm', [...testPicture('160x120', 15, 4), ...codec]);
  const limits = { judgedMs: 2_000, maxDecodedPixels: 160 * 120 * 20 };
  expect(await decode(path, limits)).toMatchObject({ reason: 'too_many_pixels' });
  expect(await decode(path, { ...limits, maxDecodedPixels: 160 * 120 * 31 })).toMatchObject({
    status: 'decoded',
    clip: { sourceFrameCount: 30 },
  });
});

describe('decodeClip', () => {
  it.each([
    ['vp8.webm', 'webm', ['-c:v', 'libvpx', '-deadline', 'realtime']],
    ['vp9.webm', 'webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']],
    ['h264.mp4', 'mp4', ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']],
  ])('samples %s with true times, from bytes and from a path', async (name, container, codec) => {
    const path = await clips.make(name, [...testPicture('320x240', 24, 2), ...codec]);
    for (const input of [path, await readFile(path)]) {
      const result = await decode(input);
      if (result.status !== 'decoded') throw new Error(result.reason);
      const { clip, value: frames } = result;
      expect(clip).toMatchObject({ container, width: 320, height: 240, sourceFrameCount: 48 });
      expect(clip.durationMs).toBeCloseTo(2000, -1);
      expect(clip.sourceTimesMs).toHaveLength(48);
      expect(clip.thumbnails).toHaveLength(48 * 64 * 64);
      expect(frames).toHaveLength(24);
      frames.forEach((frame, i) => {
        expect(frame.rgb).toHaveLength(320 * 240 * 3);
        expect(Math.abs(frame.timeMs - (i * 1000) / 12)).toBeLessThan(2);
      });
    }
    expect(await readdir(tempDir)).toEqual([]);
  });

  it('keeps the times of unevenly spaced frames, and duplicates none', async () => {
    const path = await clips.make(
      'uneven.webm',
      [
        testPicture('160x120', 30, 2),
        ['-vf', 'select=lt(n\\,15)+gte(n\\,50)', '-fps_mode', 'vfr', '-c:v', 'libvpx'],
      ].flat(),
    );
    const result = await decode(path);
    if (result.status !== 'decoded') throw new Error(result.reason);
    expect(result.clip.sourceFrameCount).toBe(25);
    const gaps = result.value.slice(1).map((frame, i) => frame.timeMs - result.value[i]!.timeMs);
    expect(Math.max(...gaps)).toBeGreaterThan(1100);
  });

  it("keeps a camera's jitter, to the millisecond, where the file looks like 25 frames a second", async () => {
    const trembleMs = (n: number) => ((n * n) % 7) - 3;
    const path = await clips.make(
      'trembling.webm',
      [
        testPicture('160x120', 25, 2.4),
        ['-vf', "settb=1/1000,setpts='40*N+mod(N*N,7)-3'", '-fps_mode', 'passthrough'],
        ['-enc_time_base', '1:1000', '-c:v', 'libvpx', '-deadline', 'realtime'],
      ].flat(),
    );
    const result = await decode(path);
    if (result.status !== 'decoded') throw new Error(result.reason);
    const times = Array.from({ length: 60 }, (_, n) => 40 * n + trembleMs(n) - trembleMs(0));
    expect(result.clip.sourceTimesMs).toEqual(times);
    for (const { timeMs } of result.value) expect(times).toContain(timeMs);
  });

  it('shrinks a large picture and applies rotation metadata', async () => {
    const flat = await clips.make('flat.mp4', [...testPicture('1280x720', 10, 1.5), '-pix_fmt', 'yuv420p']);
    const turned = await clips.make('turned.mp4', ['-i', flat, '-c', 'copy', '-metadata:s:v:0', 'rotate=90']);
    expect(await decode(flat)).toMatchObject({ clip: { width: 800, height: 450 } });
    expect(await decode(turned)).toMatchObject({ clip: { width: 450, height: 800 } });
  });

  it('keeps the first size if a recorder changes its picture size', async () => {
    const wide = await clips.make('wide.webm', [...testPicture('320x240', 10, 1), '-c:v', 'libvpx']);
    const tall = await clips.make('tall.webm', [...testPicture('240x320', 10, 1), '-c:v', 'libvpx']);
    const list = join(scratch, 'list.txt');
    await writeFile(list, `file '${wide}'\nfile '${tall}'\n`);
    const joined = await clips.make('joined.webm', ['-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy']);
    const result = await decode(joined);
    if (result.status !== 'decoded') throw new Error(result.reason);
    expect(result.value.length).toBeGreaterThan(18);
    expect(result.value.every(({ width, height }) => width === 320 && height === 240)).toBe(true);
  });

  it.each([
    ['HEVC Main 10', 'hevc.mp4', ['-c:v', 'libx265', '-x265-params', 'log-level=0', '-tag:v', 'hvc1']],
    ['H.264 High 10', 'high.mp4', ['-c:v', 'libx264']],
    ['VP9 profile 2', 'vp9.webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']],
  ])('decodes the 10 bits of %s as 8', async (_, name, codec) => {
    const made = (format: string) =>
      clips.make(`${format}-${name}`, [...testPicture('320x240', 24, 2), ...codec, '-pix_fmt', format]);
    const [eight, ten] = [await decode(await made('yuv420p')), await decode(await made('yuv420p10le'))];
    if (eight.status !== 'decoded' || ten.status !== 'decoded') throw new Error('undecodable');
    expect(ten.value).toHaveLength(eight.value.length);
    expect(meanDifference(ten.value, eight.value)).toBeLessThan(4);
  });

  it('decodes grey pictures', async () => {
    const codec = ['-c:v', 'libx264', '-pix_fmt', 'gray'];
    const path = await clips.make('grey.mp4', [...testPicture('320x240', 24, 2), ...codec]);
    expect(await decode(path)).toMatchObject({ status: 'decoded', clip: { width: 320, height: 240 } });
  });

  it('decodes the largest picture, whichever side is the longer', async () => {
    for (const size of ['1920x1440', '1440x1920', '1072x2578']) {
      const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
      const path = await clips.make(`${size}.mp4`, [...testPicture(size, 5, 1.4), ...codec]);
      expect(await decode(path), size).toMatchObject({ status: 'decoded' });
    }
  });

  it('widens pixels that are not square, and no file makes them wider than any camera does', async () => {
    const flat = await clips.make('square.mp4', [...testPicture('320x240', 24, 2), '-pix_fmt', 'yuv420p']);
    const wide = (ratio: string) =>
      clips.make(`sar-${ratio.replace('/', '-')}.mp4`, ['-i', flat, '-vf', `setsar=${ratio}`]);
    expect(await decode(await wide('4/3'))).toMatchObject({ clip: { width: 427, height: 240 } });
    expect(await decode(await wide('3/4'))).toMatchObject({ clip: { width: 240, height: 240 } });
    expect(await decode(await wide('100/1'))).toMatchObject({ clip: { width: 640, height: 240 } });
  });

  it.each([
    ['sound that is longer than the picture', 'sound.webm', [...sound(5), ...QUICK_VP8]],
    ['sound that is longer, in fragments', 'sound.mp4', [...sound(5), ...FRAGMENTS]],
    ['times that begin at 5 s', 'late-end.webm', [...QUICK_VP8, '-output_ts_offset', '5']],
    ['times that begin at 5 s, in fragments', 'late-end.mp4', [...FRAGMENTS, '-output_ts_offset', '5']],
    ['times that begin beyond the judged part', 'later.webm', [...QUICK_VP8, '-output_ts_offset', '50']],
  ])('decodes all of a picture with %s', async (_, name, codec) => {
    const path = await clips.make(name, [...testPicture('160x120', 24, 4), ...codec]);
    const result = await decode(path);
    if (result.status !== 'decoded') throw new Error(result.reason);
    expect(result.clip.durationMs).toBeCloseTo(4000, -2);
    expect(result.clip.sourceFrameCount).toBeGreaterThan(94);
    const part = await decode(path, { judgedMs: 2_000 });
    if (part.status !== 'decoded') throw new Error(part.reason);
    expect(hashOf(part.value)).toEqual(hashOf(result.value.slice(0, part.value.length)));
  });

  it.each([
    ['empty_file', () => new Uint8Array()],
    ['not_a_video', () => Buffer.from('this is no video at all, whatever it is called')],
    ['decode_failed', () => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(5000, 7)])],
  ] as const)('answers %s', async (reason, bytes) => {
    expect(await decode(bytes())).toEqual({ status: 'undecodable', reason });
  });

  it('enforces the limits of size, length and time', async () => {
    const path = await clips.make('limits.webm', [...testPicture('320x240', 24, 3), '-c:v', 'libvpx']);
    const reason = async (changed: Partial<VideoSettings>) => {
      const result = await decode(path, changed);
      return result.status === 'undecodable' ? result.reason : result.status;
    };
    expect(await reason({ maxBytes: 100 })).toBe('too_many_bytes');
    expect(await reason({ maxPixels: 1000 })).toBe('too_large_dimensions');
    expect(await reason({ maxDurationMs: 2000 })).toBe('too_long');
    expect(await reason({ minDurationMs: 4000 })).toBe('too_short');
    expect(await reason({ maxSourceFrames: 20 })).toBe('too_long');
    expect(await reason({ maxDecodedPixels: 320 * 240 * 71 })).toBe('too_many_pixels');
    expect(await reason({ maxDecodedPixels: 320 * 240 * 72 })).toBe('decoded');
    expect(await reason({ maxDecodedPixels: 320 * 240 * 50, judgedMs: 2000 })).toBe('decoded');
    expect(await reason({ timeoutMs: 1 })).toBe('decode_timeout');
  });

  it('decodes only the first part that is judged, and reports the full length', async () => {
    const path = await clips.make('tail.webm', [...testPicture('160x120', 24, 8), ...QUICK_VP8]);
    const whole = await decode(path);
    const part = await decode(path, { judgedMs: 3000 });
    if (whole.status !== 'decoded' || part.status !== 'decoded') throw new Error('undecodable');
    expect(whole.clip).toMatchObject({ sourceFrameCount: 192 });
    expect(whole.clip.durationMs).toBeCloseTo(8000, -1);
    expect(whole.clip.fileDurationMs).toBeCloseTo(8000, -1);
    expect(part.clip).toMatchObject({ sourceFrameCount: 72 });
    expect(part.clip.durationMs).toBeCloseTo(3000, -1);
    expect(part.clip.fileDurationMs).toBeCloseTo(8000, -1);
    // The same frames at the same times.
    const { sourceFrameCount, sourceTimesMs, thumbnails } = part.clip;
    expect(sourceTimesMs).toEqual(whole.clip.sourceTimesMs.slice(0, sourceFrameCount));
    expect(Buffer.from(thumbnails).equals(whole.clip.thumbnails.subarray(0, thumbnails.length))).toBe(true);
    expect(part.value).toHaveLength(36);
    expect(hashOf(part.value)).toEqual(hashOf(whole.value.slice(0, 36)));
    expect(await decode(path, { judgedMs: 3000, maxDurationMs: 7000 })).toMatchObject({ reason: 'too_long' });
  });

  it('gives the same result with a longer limit and without one', async () => {
    const path = await clips.make('same.webm', [...testPicture('160x120', 24, 3), ...QUICK_VP8]);
    const [limited, free] = [await decode(path, { judgedMs: 3100 }), await decode(path)];
    if (limited.status !== 'decoded' || free.status !== 'decoded') throw new Error('undecodable');
    expect(hashOf(limited.value)).toEqual(hashOf(free.value));
    expect({ ...limited.clip, thumbnails: null }).toEqual({ ...free.clip, thumbnails: null });
    expect(Buffer.from(limited.clip.thumbnails).equals(free.clip.thumbnails)).toBe(true);
  });

  it('slows the decoder down while its reader is slow, and extends the deadline', async () => {
    const path = await clips.make('slow.webm', [...testPicture('320x240', 60, 4), ...QUICK_VP8]);
    const all = { ...settings, sampleFps: 1000 };
    const fromMs = performance.now();
    await decodeClip(path, all, collect);
    // Several times what the decoder needs by itself on this machine, now.
    const timeoutMs = Math.max(1_000, 3 * (performance.now() - fromMs));
    let taken = 0;
    let mostAhead = 0;
    const result = await decodeClip(path, { ...all, timeoutMs }, async (frames) => {
      for await (const _ of frames) {
        taken++;
        // Longer than the deadline in total.
        if (taken <= 60) await new Promise((done) => setTimeout(done, timeoutMs / 55));
        const waiting = (frames as FrameQueue).waiting;
        mostAhead = Math.max(mostAhead, waiting);
      }
    });
    expect(result).toMatchObject({ status: 'decoded', clip: { sourceFrameCount: 240 } });
    expect(taken).toBe(240);
    expect(mostAhead).toBeGreaterThan(8);
    // Those that were in transit when the queue was full.
    expect(mostAhead).toBeLessThan(27);
  });

  it('detects a stream that is longer than allowed when its container does not say so', async () => {
    // Written to a pipe, the container has no duration, so only decoding shows it.
    const path = await clips.make(
      'endless.webm',
      [testPicture('160x120', 24, 3), ['-c:v', 'libvpx', '-live', '1', '-f', 'webm']].flat(),
    );
    expect(await decode(path)).toMatchObject({ status: 'decoded' });
    expect(await decode(path, { maxDurationMs: 2000 })).toEqual({
      status: 'undecodable',
      reason: 'too_long',
    });
  });

  it('ends when aborted, and when the reader of the frames stops', async () => {
    const path = await clips.make('abort.webm', [...testPicture('320x240', 24, 3), '-c:v', 'libvpx']);
    const abort = new AbortController();
    const started = decode(path, {}, abort.signal);
    abort.abort(new Error('enough'));
    await expect(started).rejects.toThrow('enough');
    const broken = decodeClip(path, settings, async () => Promise.reject(new Error('reader broke')));
    await expect(broken).rejects.toThrow('reader broke');
    expect(await readdir(tempDir)).toEqual([]);
  });

  it('reports a missing decoder as an error', async () => {
    const path = await clips.make('tool.webm', [...testPicture('160x120', 24, 2), '-c:v', 'libvpx']);
    await expect(decode(path, { ffmpegPath: '/nowhere/ffmpeg' })).rejects.toMatchObject({
      code: 'TOOL_MISSING',
    });
  });
});

describe.skipIf(!HAS_FACES)('malformed videos (FACES_DIR)', () => {
  it.each([
    ['zero_bytes.mp4', 'empty_file'],
    ['text_as_mp4.mp4', 'not_a_video'],
    ['jpeg_as_mp4.mp4', 'not_a_video'],
    ['audio_only.mp4', 'not_a_video'],
    ['truncated_half.mp4', 'decode_failed'],
    ['corrupt_bytes.mp4', 'decode_failed'],
    ['one_frame.mp4', 'one_frame'],
    ['huge_4096x4096.mp4', 'too_large_dimensions'],
  ])('%s → %s', async (file, reason) => {
    expect(await decode(facePath(`video/malformed/${file}`))).toEqual({ status: 'undecodable', reason });
    expect(await readdir(tempDir)).toEqual([]);
  });
});
