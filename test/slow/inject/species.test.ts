// The laboratory's attackers do what they claim to do.
import { describe, expect, test } from 'vitest';
import { PIECE_FPS } from '../../../bench/attacks/action-libraries.ts';
import { lookAround } from '../../../bench/attacks/look-around.ts';
import { continues, type LookFrame, nearestFrames } from '../../../bench/attacks/nearest-piece.ts';
import { chanceOf } from '../../../bench/attacks/random.ts';
import { drawPath, pathAt, pathLengthMs } from '../../../src/contract/path.ts';
import { headCurve } from '../../../src/evaluation/liveness/path.ts';
import { matchPath } from '../../../src/evaluation/liveness/path-match.ts';

const FPS = 24;
const DELAY_MS = 300;

/** Frames of heads that followed other paths, with where each looked. */
function footage(seed: string, pieces: number): LookFrame[] {
  const chance = chanceOf(seed);
  return Array.from({ length: pieces }, (_, piece) =>
    lookAround(chance, PIECE_FPS).places.map((place) => ({ ...place, piece })),
  ).flat();
}

describe('a library against the path', () => {
  const chance = chanceOf('a path for a library');
  const path = drawPath(4_000, (least, most) => chance.integer(least, most));
  const goals = Array.from({ length: Math.round(((pathLengthMs(path) + DELAY_MS) / 1000) * FPS) }, (_, i) =>
    pathAt(path, (i * 1000) / FPS - DELAY_MS),
  );
  const frames = footage('library', 3);
  const cutsOf = (played: readonly number[]) =>
    played.filter((frame, i) => i > 0 && !continues(frames, played[i - 1]!, frame)).length;
  const offBy = (played: readonly number[]) =>
    played.reduce((sum, frame, i) => {
      const { x, y } = frames[frame]!;
      return sum + Math.hypot(x - goals[i]!.x, y - goals[i]!.y) / played.length;
    }, 0);

  test('plays frames near the mark, nearer the less a cut costs, and makes no cut where cuts cost everything', () => {
    const cheap = nearestFrames(frames, goals, 0.05);
    const expensive = nearestFrames(frames, goals, 0.5);
    const uncut = nearestFrames(frames, goals, Number.POSITIVE_INFINITY);
    expect(offBy(cheap)).toBeLessThan(20);
    expect(offBy(cheap)).toBeLessThan(offBy(expensive));
    expect(offBy(expensive)).toBeLessThan(offBy(uncut));
    expect(cutsOf(cheap)).toBeGreaterThan(cutsOf(expensive));
    expect(cutsOf(expensive)).toBeGreaterThan(0);
    expect(cutsOf(uncut)).toBe(0);
    expect(new Set(uncut.map((frame) => frames[frame]!.piece)).size).toBe(1);
  });

  test('follows the path as a person does, unlike footage played unchanged', () => {
    const p = (played: readonly number[]) => {
      const seen = played.map((frame, i) => ({
        timeMs: (i * 1000) / FPS,
        face: { yaw: frames[frame]!.x / 200, pitch: frames[frame]!.y / 300 },
      }));
      return matchPath(headCurve(seen), path, 0, 1999)!.p;
    };
    expect(p(nearestFrames(frames, goals, 0.5))).toBeLessThanOrEqual(0.001);
    expect(p(goals.map((_, i) => i))).toBeGreaterThan(0.001);
  });
});
