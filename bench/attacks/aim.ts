// How a person aims the nose at a dot, and how far a rendered head has to turn so that its nose, as the judgement's mesh
// measures it, points in a direction.
import { type Direction, dotOf, PITCH_SCALE, type Target, turnOf } from '../../src/contract/target.ts';
import type { Pose } from './head.ts';
import type { Chance } from './random.ts';

/**
 * Standard deviations of a person's aim: of the angle in degrees, and of the amount as a share of it. `blind`: the first
 * movement towards the dot; `guided`: its correction by whoever sees on the page where the nose points. Chosen: nobody
 * who aims was ever filmed.
 */
const AIM = { blind: { deg: 9, share: 0.12 }, guided: { deg: 4, share: 0.05 } } as const;

/** Where a person's nose points who aims at the target. */
export function aimedAt(target: Target, chance: Chance, how: keyof typeof AIM): Direction {
  const { deg, share } = AIM[how];
  const angle = (target.angle_deg + deg * chance.normal()) * RADIANS;
  const turn = turnOf(dotOf(target)) * (1 + share * chance.normal());
  return { x: turn * Math.cos(angle), y: turn * Math.sin(angle) };
}

/**
 * Degrees that the mesh measures (src/contract/head-direction.ts) per degree of a rendered head's pose: medians of 14
 * heads, one photograph each, turned by 8, 16 and 24° in eight directions. Single heads: .83–1.08 and .72–.91. With
 * these medians a head is off by 3–5° of direction in the middle, 12–17° in the worst twentieth.
 */
const MEASURED = { yaw: 0.96, pitch: 0.77 } as const;

const RADIANS = Math.PI / 180;

/** The turn whose measured direction is this one. */
export function turnedTo({ x, y }: Direction): Pick<Pose, 'yaw' | 'pitch'> {
  return { yaw: (x * RADIANS) / MEASURED.yaw, pitch: (y * PITCH_SCALE * RADIANS) / MEASURED.pitch };
}

/** The direction that is measured of a head with this pose. */
export function directionOfPose({ yaw, pitch }: Pick<Pose, 'yaw' | 'pitch'>): Direction {
  return { x: (yaw * MEASURED.yaw) / RADIANS, y: (pitch * MEASURED.pitch) / RADIANS / PITCH_SCALE };
}
