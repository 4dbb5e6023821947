// Counts the pictures in the bytes of recordings, however they are cut; and what the page makes of too few.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameSizeOf } from '../../web/capture/camera/frame-size.ts';
import { countFrames } from '../../web/capture/camera/frames.ts';
import { watchPace } from '../../web/capture/camera/pace.ts';

const FRAMES = 47;

/** A file of FRAMES pictures, written to a pipe as a recorder does. */
function recorded(...format: string[]): Buffer {
  const source = ['-f', 'lavfi', '-i', `testsrc=size=160x120:rate=25:duration=${FRAMES / 25}`];
  return execFileSync('ffmpeg', ['-v', 'error', ...source, ...format, 'pipe:1']);
}

const MP4 = ['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4'];

const FILES = {
  'Matroska of VP8': () => recorded('-c:v', 'libvpx', '-live', '1', '-f', 'webm'),
  'fragmented MP4': () => recorded('-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '10', ...MP4),
};

describe('pictures of a recording', () => {
  it.each(Object.entries(FILES))('%s: every picture is counted, however the bytes are cut', (_, make) => {
    const file = make();
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        const counter = countFrames();
        for (let at = 0, i = 0; at < file.length; i += 1) {
          const size = sizes[i % sizes.length]!;
          counter.add(file.subarray(at, at + size));
          at += size;
        }
        expect(counter.frames).toBe(FRAMES);
      }),
      { numRuns: 30 },
    );
  });

  it('gives no count for unknown formats, and survives damaged files', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 400 }), (bytes) => {
        const counter = countFrames();
        counter.add(bytes);
        const isMatroska = bytes[0] === 0x1a && bytes[1] === 0x45;
        const isMp4 = String.fromCharCode(...bytes.subarray(4, 8)) === 'ftyp';
        if (!isMatroska && !isMp4) expect(counter.frames).toBeNull();
      }),
    );
    const damaged = Buffer.from(FILES['Matroska of VP8']());
    fc.assert(
      fc.property(fc.nat(damaged.length - 1), fc.nat(255), (at, value) => {
        const bytes = Buffer.from(damaged);
        bytes[at] = value;
        const counter = countFrames();
        counter.add(bytes);
        expect(counter.frames ?? 0).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});

describe('the size of a recording', () => {
  it.each(Object.entries(FILES))('%s: is read from its beginning', (_, make) => {
    const file = make();
    expect(frameSizeOf(file)).toEqual({ width: 160, height: 120 });
    expect(frameSizeOf(file.subarray(0, 3_000))).toEqual({ width: 160, height: 120 });
  });

  it('is that of the pictures as they are shown: a quarter turn in the header counts', () => {
    const args = [
      '-f',
      'mp4',
      '-i',
      'pipe:0',
      '-c',
      'copy',
      '-metadata:s:v:0',
      'rotate=90',
      ...MP4,
      'pipe:1',
    ];
    const turned = execFileSync('ffmpeg', ['-v', 'error', ...args], { input: FILES['fragmented MP4']() });
    expect(frameSizeOf(turned)).toEqual({ width: 120, height: 160 });
  });

  it('is unknown in unknown and damaged files', () => {
    const file = FILES['fragmented MP4']();
    fc.assert(
      fc.property(fc.nat(900), fc.nat(255), fc.nat(1_200), (at, value, length) => {
        const bytes = Buffer.from(file.subarray(0, length));
        if (at < length) bytes[at] = value;
        const size = frameSizeOf(bytes);
        if (size) expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
      }),
    );
    expect(frameSizeOf(Buffer.alloc(4_000))).toBeNull();
    expect(frameSizeOf(Buffer.alloc(3))).toBeNull();
  });
});

describe('a device that does not keep up', () => {
  /** How often the page is warned of a recording at one frame rate from a camera at another. */
  async function told(recordedFps: number, givenFps: number): Promise<number> {
    const fragments = ['-movflags', 'frag_every_frame+empty_moov', '-f', 'mp4'];
    const file = recorded('-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...fragments);
    const starts: number[] = [];
    for (let at = file.indexOf('moof'); at >= 0; at = file.indexOf('moof', at + 4)) starts.push(at - 4);
    let nowMs = 0;
    let slow = 0;
    const given = () => Math.round((nowMs / 1000) * givenFps);
    const pace = watchPace(given, () => {
      slow += 1;
    });
    const part = (from: number, to?: number) =>
      Promise.resolve(new Uint8Array(file.subarray(from, to)).buffer);
    pace(part(0, starts[0]), 0);
    // The same fragments several times over make a longer recording.
    for (let i = 0; i < starts.length * 4; i += 1) {
      const at = i % starts.length;
      nowMs = ((i + 1) / recordedFps) * 1000;
      pace(part(starts[at]!, starts[at + 1]), nowMs);
    }
    // Parts that have arrived are read before any timer fires.
    await new Promise((resolve) => setTimeout(resolve));
    return slow;
  }

  it('is reported when the recording loses pictures that the camera gives', async () => {
    expect(await told(15, 30)).toBeGreaterThan(0);
  });
  it('is not reported for a camera that gives few pictures', async () => {
    expect(await told(15, 15)).toBe(0);
  });
  it('is not reported when enough pictures arrive', async () => {
    expect(await told(27, 30)).toBe(0);
  });
});
