// Tracked points: where they move, how much of it a plane explains, and what the cues conclude.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FaceObservation } from '../../../src/evaluation/face/observation.ts';
import {
  homographyResidual,
  type Moved,
  similarityResidual,
} from '../../../src/evaluation/liveness/motion/fit.ts';
import { follow, texturedSpots } from '../../../src/evaluation/liveness/motion/flow.ts';
import { pyramidOf } from '../../../src/evaluation/liveness/motion/grey.ts';
import { type Motion, MotionMeter } from '../../../src/evaluation/liveness/motion/measure.ts';
import { parallax } from '../../../src/evaluation/liveness/parallax.ts';
import { surround } from '../../../src/evaluation/liveness/surround.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import { evidence, neutralFace } from './evidence.ts';

const grid = Array.from({ length: 25 }, (_, i) => ({ x: 20 * (i % 5) - 40, y: 20 * Math.floor(i / 5) - 40 }));
const moved = (map: (x: number, y: number) => { x: number; y: number }): Moved[] =>
  grid.map((from) => ({ from, to: map(from.x, from.y) }));

const lattice = (x: number, y: number) => 128 + 100 * Math.sin(x * 127.1 + y * 311.7 + 17 * Math.sin(x * y));

/** Random values on a lattice, smooth in between: corners everywhere, and no period. */
function texture(x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - left, y - top].map((f) => f * f * (3 - 2 * f)) as [number, number];
  const upper = (1 - fx) * lattice(left, top) + fx * lattice(left + 1, top);
  const lower = (1 - fx) * lattice(left, top + 1) + fx * lattice(left + 1, top + 1);
  return (1 - fy) * upper + fy * lower;
}

/** The texture, seen through `map` from picture to texture coordinates. */
function picture(
  timeMs: number,
  map: (x: number, y: number) => { x: number; y: number },
  [width, height] = [320, 240],
): Frame {
  const rgb = new Uint8Array(width! * height! * 3);
  for (let y = 0; y < height!; y++) {
    for (let x = 0; x < width!; x++) {
      const at = map(x, y);
      const value = (texture(at.x / 4, at.y / 4) + texture(at.x / 18, at.y / 18)) / 2;
      rgb.fill(value, (y * width! + x) * 3, (y * width! + x) * 3 + 3);
    }
  }
  return { timeMs, width: width!, height: height!, rgb };
}

describe('what a plane explains', () => {
  const slant = fc.double({ min: -0.3, max: 0.3, noNaN: true });
  const tilt = fc.double({ min: -0.003, max: 0.003, noNaN: true });

  it('a similarity explains translation, rotation and scale', () => {
    fc.assert(
      fc.property(slant, slant, (a, b) => {
        const points = moved((x, y) => ({ x: (1 + a) * x - b * y + 7, y: b * x + (1 + a) * y - 3 }));
        expect(similarityResidual(points)).toBeLessThan(1e-5);
      }),
    );
  });

  it('a homography explains a rotated plane, but not relief', () => {
    fc.assert(
      fc.property(slant, slant, tilt, tilt, (a, b, p, q) => {
        const plane = (x: number, y: number) => {
          const w = 1 + p * x + q * y;
          return { x: ((1 + a) * x + 0.1 * y) / w, y: (b * x + y) / w };
        };
        expect(homographyResidual(moved(plane))).toBeLessThan(1);
        const nose = moved((x, y) => {
          const at = plane(x, y);
          return { x: at.x + 12 * Math.exp(-(x * x + y * y) / 300), y: at.y };
        });
        expect(homographyResidual(nose)).toBeGreaterThan(1.2);
      }),
    );
  });
});

describe('follow', () => {
  it('tracks shifted points to a fraction of a pixel, and drops those that leave the frame', () => {
    const before = pyramidOf(picture(0, (x, y) => ({ x, y })));
    const after = pyramidOf(picture(80, (x, y) => ({ x: x - 6.4, y: y + 3.3 })));
    const spots = texturedSpots(before, { x: 0, y: 0, width: 320, height: 240 }, 20);
    expect(spots.length).toBeGreaterThan(80);
    const found = follow(before, after, spots);
    expect(found.filter((spot) => spot !== null).length).toBeGreaterThan(70);
    const right = found.filter(
      (spot, i) => spot && Math.hypot(spot.x - spots[i]!.x - 6.4, spot.y - spots[i]!.y + 3.3) < 0.3,
    );
    expect(right.length / found.filter((spot) => spot !== null).length).toBeGreaterThan(0.95);
  });
});

function measureMotion(frames: readonly Frame[], observations: readonly FaceObservation[]): Motion {
  const meter = new MotionMeter();
  for (const [i, frame] of frames.entries()) meter.add(frame, observations[i]!);
  return meter.end();
}

describe('the motion measures and their cues', () => {
  const FRAMES = 12;
  const turning = (relief: boolean) => {
    const observations = Array.from({ length: FRAMES }, (_, i) => ({
      ...{ timeMs: i * 80, faceCount: 1 },
      face: neutralFace({
        yaw: i * 0.045,
        eyeDistancePx: 70,
        box: { x: 90, y: 50, width: 140, height: 150 },
      }),
    }));
    const frames = observations.map(({ timeMs }, i) =>
      picture(timeMs, (x, y) => {
        const [u, v] = [x - 160, y - 120];
        const bulge = relief ? 1.3 * i * Math.exp(-(u * u + v * v) / 1500) : 0;
        return { x: 160 + u * (1 + 0.012 * i) - bulge, y: 120 + v * (1 + 0.00008 * i * u) };
      }),
    );
    return evidence({ script: null, motion: measureMotion(frames, observations) });
  };

  it('distinguish a head from a rotated picture', () => {
    expect(parallax.run(turning(true))).toMatchObject({ status: 'passed' });
    expect(parallax.run(turning(false))).toMatchObject({ status: 'failed', reason: 'flat_turn' });
  });

  it('are not evaluated for turns that were not asked for', () => {
    const { motion } = turning(false);
    const script = { steps: [{ prompt: 'turn_left' as const, from_ms: 5000, to_ms: 6000 }] };
    expect(parallax.run(evidence({ script, motion }))).toMatchObject({ status: 'notEvaluated' });
  });

  const swaying = (surroundMoves: boolean) => {
    const shift = (i: number) => 9 * Math.sin(i / 3);
    const observations = Array.from({ length: 24 }, (_, i) => ({
      ...{ timeMs: i * 80, faceCount: 1 },
      face: neutralFace({ eyeDistancePx: 60, box: { x: 110 + shift(i), y: 60, width: 100, height: 120 } }),
    }));
    const frames = observations.map(({ timeMs }, i) =>
      picture(timeMs, (x, y) => {
        const onFace = Math.abs(x - 160) < (surroundMoves ? 115 : 62);
        return { x: onFace ? x - shift(i) : x, y };
      }),
    );
    return evidence({ script: null, motion: measureMotion(frames, observations) });
  };

  it('distinguish a head in front of a wall from a photograph that includes the wall', () => {
    expect(surround.run(swaying(false))).toMatchObject({ status: 'passed' });
    expect(surround.run(swaying(true))).toMatchObject({ status: 'failed', reason: 'moves_with_surround' });
  });
});
