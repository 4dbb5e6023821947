// How the head answered a target: where it came to a hold after the dot appeared. The first hold counts, with one
// correction; otherwise a head that slowly circles would answer every target.
import { rollOf, upperFaceOf } from '../../contract/head-direction.ts';
import type { ScriptStep } from '../../contract/script.ts';
import {
  AMOUNTS,
  angleErrorDeg,
  BASELINE_MS,
  baselineOf,
  type Direction,
  isOnTarget,
  MAX_ROLL_DEG,
  MIN_REACTION_MS,
  type Target,
  turnOf,
} from '../../contract/target.ts';
import { headOf, type Rest } from './prompts.ts';
import { AFTERMATH_MS, type Response, type Seen } from './windows.ts';

/** Judged frames, each about a twelfth of a second, for which a hold lasts. */
const HELD_FRAMES = 5;
/**
 * Scaled degrees by which the frames of a hold may lie off their mean: the mesh trembles by 0.3°, a still head wanders
 * by 0.5–0.7° in a second, and a head that turns moves by 2° and more in a frame.
 */
const MAX_SPREAD = 2.5;
/** The first hold, and one correction. Chosen, not measured. */
const MAX_HOLDS = 2;
const MAX_ROLL = (MAX_ROLL_DEG * Math.PI) / 180;
/** The largest error that an angle can have. */
const LARGEST_ERROR_DEG = 180;

/** A time for which the head pointed to one place, away from rest. */
export interface Hold extends Response {
  /** Mean of its first frames, relative to where the head was before the dot. */
  readonly at: Direction;
}

/** The holds that began after a target's dot was seen, in their order. */
export function holdsIn(
  seen: readonly Seen[],
  step: Pick<ScriptStep, 'from_ms' | 'to_ms'>,
  rest: Rest,
): Hold[] {
  const before = seen.filter(({ timeMs }) => timeMs >= step.from_ms - BASELINE_MS && timeMs < step.from_ms);
  const baseline = baselineOf(before.map(({ face }) => headOf(face, rest)));
  const finder = new HoldFinder();
  for (const { timeMs, face, isSamePerson } of seen) {
    if (timeMs < step.from_ms || timeMs >= step.to_ms + AFTERMATH_MS) continue;
    const head = headOf(face, rest);
    const isUpright = Math.abs(rollOf(upperFaceOf(face.landmarks)) - rest.head.roll) <= MAX_ROLL;
    finder.add({ x: head.x - baseline.x, y: head.y - baseline.y }, isUpright, timeMs, isSamePerson === true);
  }
  return finder.holds.filter(({ onsetMs }) => onsetMs >= step.from_ms + MIN_REACTION_MS);
}

/** The hold that answers the target; null if neither the first nor its correction does. */
export function holdOn(holds: readonly Hold[], target: Target): Hold | null {
  return holds.slice(0, MAX_HOLDS).find(({ at }) => isOnTarget(at, target)) ?? null;
}

/**
 * Share of fresh targets that would be answered by these holds at least as well as this one: the rank of its error among
 * theirs. Half of the targets are of either amount.
 */
export function chanceOf(holds: readonly Hold[], target: Target): number {
  const counted = holds.slice(0, MAX_HOLDS);
  const errors = counted
    .filter(({ at }) => isOnTarget(at, target))
    .map(({ at }) => angleErrorDeg(at, target));
  if (errors.length === 0) return 1;
  return Math.min(1, (counted.length * (Math.min(...errors) / LARGEST_ERROR_DEG)) / 2);
}

interface Look {
  readonly at: Direction;
  readonly timeMs: number;
  readonly isPerson: boolean;
}

/** Finds holds in looks that are added one by one. */
class HoldFinder {
  readonly holds: Hold[] = [];
  /** The looks away from rest since the last that was not. */
  #away: Look[] = [];
  /** Whether the last hold still lasts. */
  #isHeld = false;

  add(at: Direction, isUpright: boolean, timeMs: number, isPerson: boolean): void {
    if (!isUpright || turnOf(at) < AMOUNTS.near.least) {
      this.#away = [];
      this.#isHeld = false;
      return;
    }
    this.#away.push({ at, timeMs, isPerson });
    const last = this.holds.at(-1);
    if (this.#isHeld && last && distance(at, last.at) <= MAX_SPREAD) {
      const { frames, framesOfPerson } = last;
      this.holds[this.holds.length - 1] = {
        ...last,
        frames: frames + 1,
        framesOfPerson: framesOfPerson + Number(isPerson),
      };
    } else this.#begin();
  }

  #begin(): void {
    this.#isHeld = false;
    const looks = this.#away.slice(-HELD_FRAMES);
    if (looks.length < HELD_FRAMES) return;
    const at = { x: meanOf(looks, 'x'), y: meanOf(looks, 'y') };
    if (looks.some((look) => distance(look.at, at) > MAX_SPREAD)) return;
    const framesOfPerson = looks.filter(({ isPerson }) => isPerson).length;
    this.holds.push({ at, onsetMs: this.#away[0]!.timeMs, frames: HELD_FRAMES, framesOfPerson });
    this.#isHeld = true;
    // What follows another place begins from here.
    this.#away = [];
  }
}

const meanOf = (looks: readonly Look[], axis: 'x' | 'y'): number =>
  looks.reduce((sum, { at }) => sum + at[axis], 0) / looks.length;

const distance = (one: Direction, other: Direction): number => Math.hypot(one.x - other.x, one.y - other.y);
