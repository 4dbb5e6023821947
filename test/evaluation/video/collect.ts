// What tests do with decoded frames.
import { createHash } from 'node:crypto';
import type { Frame } from '../../../src/evaluation/video/frame.ts';

/** Encoder arguments for clips whose quality does not matter. */
export const QUICK_VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'];

/** All frames of a clip, kept. */
export async function collect(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

/** A hash of the frames, because comparing their bytes one by one would take minutes. */
export const hashOf = (frames: readonly Frame[]) =>
  frames.map(({ timeMs, rgb }) => [timeMs, createHash('sha256').update(rgb).digest('hex')]);
