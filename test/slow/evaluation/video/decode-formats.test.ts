import { describe, expect, it } from 'vitest';
import { decodeClip } from '../../../../src/evaluation/video/decode.ts';
import type { Frame } from '../../../../src/evaluation/video/frame.ts';
import type { FrameQueue } from '../../../../src/evaluation/video/frame-queue.ts';
import { hashOf, QUICK_VP8, useDecoder } from '../../../evaluation/video/decoder.ts';
import { keptClips, testPicture } from '../../../evaluation/video/make-clip.ts';

const clips = keptClips();
const decoder = useDecoder();
const { decode } = decoder;

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

describe('decodeClip', () => {
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

  it('has memory for the largest picture with 10 bits and every reference that the format allows', async () => {
    const references = ['-refs', '16', '-bf', '16', '-b_strategy', '0', '-g', '250'];
    const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', ...references, '-pix_fmt', 'yuv420p10le'];
    const path = await clips.make('held.mp4', [...testPicture('1920x1440', 30, 2), ...codec]);
    expect(await decode(path)).toMatchObject({ status: 'decoded', clip: { sourceFrameCount: 60 } });
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

  it('slows the decoder down while its reader is slow, and extends the deadline', async () => {
    const path = await clips.make('slow.webm', [...testPicture('320x240', 60, 4), ...QUICK_VP8]);
    const all = decoder.settings({ sampleFps: 1000 });
    const fromMs = performance.now();
    await decode(path, { sampleFps: 1000 });
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
});
