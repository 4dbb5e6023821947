// A person who followed the path of an earlier challenge: footage for an attacker's library.
import { drawScript } from '../../src/challenge/capturing/draw-script.ts';
import type { Pose } from './head.ts';
import { live, type Performance } from './performance.ts';
import type { Chance } from './random.ts';

/** Share of a piece's looks that must lie within the reach of a path; those beyond are outliers. */
const WITHIN = 0.95;

/** A performance that follows a freshly drawn path, and where its head points in each frame, in path coordinates. */
export function lookAround(
  chance: Chance,
  fps: number,
): { places: { x: number; y: number }[]; performance: Performance; durationMs: number } {
  const drawn = drawScript('standard', ['neutral', 'path'], null, (least, most) =>
    chance.integer(least, most),
  );
  const steps = drawn.steps.filter(({ prompt }) => prompt === 'path');
  const { script, performance } = live({ ...drawn, steps }, chance);
  const durationMs = script.steps.at(-1)!.to_ms;
  const poses = Array.from({ length: Math.round((durationMs / 1000) * fps) }, (_, i) =>
    performance((i * 1000) / fps),
  );
  const reach = (of: (pose: Pose) => number) =>
    poses.map((pose) => Math.abs(of(pose))).sort((a, b) => a - b)[Math.floor(WITHIN * poses.length)]!;
  const [yaw, pitch] = [reach((pose) => pose.yaw), reach((pose) => pose.pitch)];
  const places = poses.map((pose) => ({ x: (100 * pose.yaw) / yaw, y: (100 * pose.pitch) / pitch }));
  return { places, performance, durationMs };
}
