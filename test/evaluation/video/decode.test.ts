// Decoding real and hostile files: frames, times, limits, and nothing left behind.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { VideoSettings } from '../../../src/evaluation/settings.ts';
import { decodeClip } from '../../../src/evaluation/video/decode.ts';
import { facePath, HAS_FACES } from '../../support/faces.ts';
import { hashOf, QUICK_VP8, useDecoder } from './decoder.ts';
import { clipFolder, keptClips, testPicture } from './make-clip.ts';

const clips = keptClips();
const decoder = useDecoder();
const { decode } = decoder;

const QUICK_H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

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

it("counts a picture's own pixels, whatever size the container declares", async () => {
  const path = await clips.make('declared.webm', [...testPicture('640x480', 24, 2), ...QUICK_VP8]);
  const bytes = await readFile(path);
  // PixelWidth and PixelHeight (RFC 9559, 5.1.4.1.28.6 and 7).
  for (const [id, size] of [
    ['b0', 640],
    ['ba', 480],
  ] as const) {
    const at = bytes.indexOf(Buffer.from(`${id}82${size.toString(16).padStart(4, '0')}`, 'hex'));
    bytes.writeUInt16BE(size / 4, at + 2);
  }
  const limits = { maxDecodedPixels: 640 * 480 * 47 };
  expect(await decode(bytes, limits)).toMatchObject({ reason: 'too_many_pixels' });
  expect(await decode(bytes)).toMatchObject({ status: 'decoded', clip: { sourceFrameCount: 48 } });
});

describe('decodeClip', () => {
  it.each([
    ['vp8.webm', 'webm', QUICK_VP8],
    ['vp9.webm', 'webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']],
    ['h264.mp4', 'mp4', QUICK_H264],
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
    expect(await readdir(decoder.tempDir)).toEqual([]);
  });

  it('keeps the times of unevenly spaced frames, and duplicates none', async () => {
    const path = await clips.make(
      'uneven.webm',
      [
        testPicture('160x120', 30, 2),
        ['-vf', 'select=lt(n\\,15)+gte(n\\,50)', '-fps_mode', 'vfr', ...QUICK_VP8],
      ].flat(),
    );
    const result = await decode(path);
    if (result.status !== 'decoded') throw new Error(result.reason);
    expect(result.clip.sourceFrameCount).toBe(25);
    const gaps = result.value.slice(1).map((frame, i) => frame.timeMs - result.value[i]!.timeMs);
    expect(Math.max(...gaps)).toBeGreaterThan(1100);
  });

  it('shrinks a large picture and applies rotation metadata', async () => {
    const flat = await clips.make('flat.mp4', [...testPicture('1280x720', 10, 1.5), ...QUICK_H264]);
    const turned = await clips.make('turned.mp4', ['-i', flat, '-c', 'copy', '-metadata:s:v:0', 'rotate=90']);
    expect(await decode(flat)).toMatchObject({ clip: { width: 800, height: 450 } });
    expect(await decode(turned)).toMatchObject({ clip: { width: 450, height: 800 } });
  });

  it('keeps the first size if a recorder changes its picture size', async () => {
    const folder = await clipFolder();
    onTestFinished(() => folder.remove());
    const wide = await folder.make('wide.webm', [...testPicture('320x240', 10, 1), ...QUICK_VP8]);
    const tall = await folder.make('tall.webm', [...testPicture('240x320', 10, 1), ...QUICK_VP8]);
    const list = join(dirname(wide), 'list.txt');
    await writeFile(list, `file '${wide}'\nfile '${tall}'\n`);
    const joined = await folder.make('joined.webm', ['-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy']);
    const result = await decode(joined);
    if (result.status !== 'decoded') throw new Error(result.reason);
    expect(result.value.length).toBeGreaterThan(18);
    expect(result.value.every(({ width, height }) => width === 320 && height === 240)).toBe(true);
  });

  it.each([
    ['empty_file', () => new Uint8Array()],
    ['not_a_video', () => Buffer.from('this is no video at all, whatever it is called')],
    ['decode_failed', () => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(5000, 7)])],
  ] as const)('answers %s', async (reason, bytes) => {
    expect(await decode(bytes())).toEqual({ status: 'undecodable', reason });
  });

  it('enforces the limits of size, length and time', async () => {
    const path = await clips.make('limits.webm', [...testPicture('320x240', 24, 3), ...QUICK_VP8]);
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

  it('detects a stream that is longer than allowed when its container does not say so', async () => {
    // Written to a pipe, the container has no duration, so only decoding shows it.
    const path = await clips.make(
      'endless.webm',
      [testPicture('160x120', 24, 3), [...QUICK_VP8, '-live', '1', '-f', 'webm']].flat(),
    );
    expect(await decode(path)).toMatchObject({ status: 'decoded' });
    expect(await decode(path, { maxDurationMs: 2000 })).toEqual({
      status: 'undecodable',
      reason: 'too_long',
    });
  });

  it('ends when aborted, and when the reader of the frames stops', async () => {
    const path = await clips.make('abort.webm', [...testPicture('320x240', 24, 3), ...QUICK_VP8]);
    const abort = new AbortController();
    const started = decode(path, {}, abort.signal);
    abort.abort(new Error('enough'));
    await expect(started).rejects.toThrow('enough');
    const broken = decodeClip(path, decoder.settings(), async () =>
      Promise.reject(new Error('reader broke')),
    );
    await expect(broken).rejects.toThrow('reader broke');
    expect(await readdir(decoder.tempDir)).toEqual([]);
  });

  it('reports a missing decoder as an error', async () => {
    const path = await clips.make('tool.webm', [...testPicture('160x120', 24, 2), ...QUICK_VP8]);
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
    expect(await readdir(decoder.tempDir)).toEqual([]);
  });
});
