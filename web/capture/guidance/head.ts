// Where the head points, read as the judgement reads it: against the person's own resting face, and from where the nose
// pointed just before the step began.
import {
  directionOf,
  type RestingFace,
  restingFaceOf,
  rollOf,
  type UpperFace,
} from '../../../src/contract/head-direction.ts';
import { BASELINE_MS, baselineOf, type Direction, turnOf } from '../../../src/contract/target.ts';

export interface Heading {
  /** How far the head has turned from its rest, in scaled degrees. */
  readonly turn: number;
  /** Where the nose points, from where it pointed before the current step. */
  readonly aim: Direction;
  /** How far the head is tilted against its rest, in degrees. */
  readonly rollDeg: number;
}

/** Looks kept for the baseline: more than a second. */
const KEPT = 20;
const DEGREES = 180 / Math.PI;

/** The only face of a video, look after look. */
export class Head {
  #resting: RestingFace | null = null;
  #looks: { readonly face: UpperFace; readonly atMs: number }[] = [];
  #from: { readonly atMs: number; readonly direction: Direction } | null = null;

  /** Every face that is seen, in the order of their frames. */
  saw(face: UpperFace, atMs: number): void {
    this.#looks = [...this.#looks.slice(1 - KEPT), { face, atMs }];
  }

  /** The faces that were seen at rest; without any, the head's direction stays unknown. */
  rest(faces: readonly UpperFace[]): void {
    this.#resting = restingFaceOf(faces);
  }

  /** Where a face points in the step that began at `fromMs`; null while the resting face is unknown. */
  heading(face: UpperFace, fromMs: number): Heading | null {
    const resting = this.#resting;
    if (!resting) return null;
    if (this.#from?.atMs !== fromMs) this.#from = { atMs: fromMs, direction: this.#before(fromMs, resting) };
    const direction = directionOf(face, resting);
    const from = this.#from.direction;
    return {
      turn: turnOf(direction),
      aim: { x: direction.x - from.x, y: direction.y - from.y },
      rollDeg: Math.abs(rollOf(face) - resting.roll) * DEGREES,
    };
  }

  #before(fromMs: number, resting: RestingFace): Direction {
    const before = this.#looks.filter(({ atMs }) => atMs < fromMs && atMs >= fromMs - BASELINE_MS);
    return baselineOf(before.map(({ face }) => directionOf(face, resting)));
  }
}
