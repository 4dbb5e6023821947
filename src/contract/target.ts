// A head target: a dot beside the oval to which the person turns the nose. The server draws it, the page shows it and
// the judgement finds the head's answer; all three read directions in the same way. Pure.

/** How far the head turns: see {@link AMOUNTS}. */
export type Amount = 'near' | 'far';

/**
 * Where the dot stands. `angle_deg` is a whole number from 0 to 359, counter-clockwise from the person's own left in the
 * camera's picture, which shows that side on its right.
 */
export interface Target {
  angle_deg: number;
  amount: Amount;
}

/**
 * Where the nose points, relative to the person's own face at rest, in scaled degrees of the mesh: `x` is yaw towards
 * the person's own left; `y` is pitch, up, over {@link PITCH_SCALE}, because necks nod less far than they turn.
 */
export interface Direction {
  readonly x: number;
  readonly y: number;
}

/** Degrees of pitch that are worth one degree of yaw. */
export const PITCH_SCALE = 0.7;

/**
 * What counts as near and as far, and where the page puts the dot, in scaled degrees. Of 31 clips of some 30 persons;
 * beyond 24° sideways the recogniser no longer knows honest people.
 */
export const AMOUNTS: Readonly<Record<Amount, { least: number; dot: number; most: number }>> = {
  near: { least: 7, dot: 10, most: 14 },
  far: { least: 15, dot: 19, most: 30 },
};
export const AMOUNT_NAMES = Object.keys(AMOUNTS) as Amount[];
/** Downwards, the recogniser loses people sooner: 15.4° of pitch at most. In scaled degrees. */
export const MAX_DOWN = 22;
/** How far the answer may be off the target's angle, in degrees. */
export const TOLERANCE_DEG = 25;

/** A resting head wanders by 1–3° within seconds, so a turn is measured from where the nose pointed this long before. */
export const BASELINE_MS = 500;
/** Nobody reacts sooner: a movement that begins before was not made for this dot. Chosen, not measured. */
export const MIN_REACTION_MS = 150;
/** A head that is tilted further than this against its rest does not aim: the mesh's axes are not its own. */
export const MAX_ROLL_DEG = 20;

const DEGREES = 180 / Math.PI;

/** How far the head has turned from rest, in scaled degrees. */
export function turnOf({ x, y }: Direction): number {
  return Math.hypot(x, y);
}

/**
 * Where the nose pointed before a dot appeared, by the directions of the half second before: their median. A head that
 * was turned away then is measured from its face at rest; otherwise its way back would be a turn.
 */
export function baselineOf(before: readonly Direction[]): Direction {
  const at = { x: middleOf(before.map(({ x }) => x)), y: middleOf(before.map(({ y }) => y)) };
  return turnOf(at) < AMOUNTS.near.least ? at : { x: 0, y: 0 };
}

/** The median of few values; 0 without any. */
function middleOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}

/** The smaller angle between a direction and a target's, 0 to 180 degrees. */
export function angleErrorDeg({ x, y }: Direction, { angle_deg }: Pick<Target, 'angle_deg'>): number {
  const apart = Math.abs(Math.atan2(y, x) * DEGREES - angle_deg) % 360;
  return Math.min(apart, 360 - apart);
}

/** Where the dot of a target stands. */
export function dotOf({ angle_deg, amount }: Target): Direction {
  const { dot } = AMOUNTS[amount];
  return { x: dot * Math.cos(angle_deg / DEGREES), y: dot * Math.sin(angle_deg / DEGREES) };
}

/** Whether a direction answers a target. `stricter`: share of both tolerances by which the limits are drawn in. */
export function isOnTarget(direction: Direction, target: Target, stricter = 0): boolean {
  const { least, most } = AMOUNTS[target.amount];
  const turn = turnOf(direction);
  const margin = (stricter * (most - least)) / 2;
  return (
    turn >= least + margin &&
    turn <= most - margin &&
    direction.y >= -MAX_DOWN + margin &&
    angleErrorDeg(direction, target) <= TOLERANCE_DEG * (1 - stricter)
  );
}
