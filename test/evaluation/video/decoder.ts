// Decodes clips for tests, and keeps what the product would read once.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { DEFAULT_SETTINGS, type VideoSettings } from '../../../src/evaluation/settings.ts';
import { decodeClip } from '../../../src/evaluation/video/decode.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';

/** Encoder arguments for clips whose quality does not matter. */
export const QUICK_VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'];

/** All frames of a clip, kept. */
async function collect(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

/** A hash of the frames, because comparing their bytes one by one would take minutes. */
export const hashOf = (frames: readonly Frame[]) =>
  frames.map(({ timeMs, rgb }) => [timeMs, createHash('sha256').update(rgb).digest('hex')]);

/** The default settings with a folder for temporary files of its own; call once in a file. */
export function useDecoder() {
  let tempDir: string;
  beforeAll(async () => {
    tempDir = await mkdtemp(join(tmpdir(), 'decode-'));
  });
  afterAll(() => rm(tempDir, { recursive: true, force: true }));
  const settings = (changed: Partial<VideoSettings> = {}): VideoSettings => ({
    ...DEFAULT_SETTINGS.video,
    tempDir,
    ...changed,
  });
  return {
    get tempDir() {
      return tempDir;
    },
    settings,
    decode: (video: Uint8Array | string, changed: Partial<VideoSettings> = {}, signal?: AbortSignal) =>
      decodeClip(video, settings(changed), collect, { signal }),
  };
}
