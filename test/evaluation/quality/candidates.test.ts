// Of a video of unknown length, the frames that may become portraits are kept: whenever it ends, the choice is the same
// as from all frames.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PortraitCandidates } from '../../../src/evaluation/quality/candidates.ts';
import { type AssessedFrame, selectPortraits } from '../../../src/evaluation/quality/select.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import { neutralFace } from '../liveness/evidence.ts';

type Assessed = AssessedFrame & { readonly frame: Frame };

/** A frame whose score depends only on its unevenness; null is a frame without a face. */
function assessed(timeMs: number, unevenness: number | null): Assessed {
  const frame = { timeMs, width: 1, height: 1, rgb: new Uint8Array(3) };
  if (unevenness === null) return { frame, observation: { timeMs, faceCount: 0, face: null }, quality: null };
  const pixels = { brightness: 120, contrast: 30, surround: 150, burntShare: 0, sharpness: 0.2, unevenness };
  const quality = { ...pixels, flaws: [] };
  return { frame, observation: { timeMs, faceCount: 1, face: neutralFace() }, quality };
}

/** Frames these numbers of milliseconds apart. */
function clipOf(steps: readonly { gapMs: number; unevenness: number | null }[]): Assessed[] {
  let timeMs = 0;
  return steps.map(({ gapMs, unevenness }, i) => {
    timeMs += i === 0 ? 0 : gapMs;
    return assessed(timeMs, unevenness);
  });
}

const gap = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0.5, max: 200, noNaN: true }));
const unevenness = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }).map((tenths) => tenths / 10) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const clip = fc.array(fc.record({ gapMs: gap, unevenness }), { minLength: 1, maxLength: 80 }).map(clipOf);
const count = fc.integer({ min: 1, max: 7 });

/** The portraits chosen from the frames so far, with only the kept frames available. */
function chosen(frames: readonly Assessed[], kept: ReadonlyMap<number, Frame>, portraits: number) {
  return selectPortraits(
    frames.map((each) => ({ ...each, frame: kept.get(each.frame.timeMs) ?? null })),
    portraits,
  );
}

describe('candidates for portraits', () => {
  it('include every frame that is chosen, wherever the video ends', () => {
    fc.assert(
      fc.property(clip, count, (frames, portraits) => {
        const candidates = new PortraitCandidates(portraits);
        for (const [i, frame] of frames.entries()) {
          candidates.add(frame);
          const soFar = frames.slice(0, i + 1);
          expect(chosen(soFar, candidates.frames(), portraits)).toEqual(selectPortraits(soFar, portraits));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are few if better and worse frames alternate, and most frames if each is better', () => {
    const keptOf = (unevennessAt: (i: number) => number) => {
      const candidates = new PortraitCandidates(5);
      for (let i = 0; i < 144; i++) candidates.add(assessed(i * 83.3, unevennessAt(i)));
      return candidates.frames().size;
    };
    // Steps of the golden ratio: no two are alike, and there is no trend.
    expect(keptOf((i) => (i * 0.618034) % 1)).toBeLessThan(20);
    expect(keptOf((i) => 1 - i / 144)).toBeGreaterThan(100);
  });

  it('are none without a face', () => {
    const candidates = new PortraitCandidates(5);
    for (let i = 0; i < 5; i++) candidates.add(assessed(i * 80, null));
    expect(candidates.frames().size).toBe(0);
  });
});
