// What the person is shown and told while the head turns to a dot. Pure.
import { rollOf } from '../../../src/contract/head-direction.ts';
import {
  AMOUNTS,
  angleErrorDeg,
  type Direction,
  isOnTarget,
  type Target,
  TOLERANCE_DEG,
  turnOf,
} from '../../../src/contract/target.ts';
import { ANSWER_LIMITS } from './answers.ts';
import type { SeenFace } from './hint.ts';

export interface Aim {
  /** Where the nose points, from where it pointed before; null without a face. */
  readonly at: Direction | null;
  /** Share of the hold that is over, 0 to 1. */
  readonly held: number;
  /** What would help, if it has been so for a while. */
  readonly advice: Advice | null;
}

export type Advice = 'further' | 'not_so_far' | 'turn_instead';

/** Nobody can follow advice that changes faster. Chosen, not measured. */
const ADVICE_AFTER_MS = 1_000;
/** Below this, a head has not turned, in scaled degrees: at rest it wanders by 1–3°. */
const TURNED = 4;
/**
 * A head that moves by this share of the width of its face's box, or is tilted by so much, without turning leans. Chosen,
 * not measured.
 */
const LEANS = { share: 0.2, deg: 10 };

/** Advises on one target, look after look. */
export class Adviser {
  readonly #target: Target;
  #placedAt: SeenFace | null;
  #now: { readonly advice: Advice | null; readonly sinceMs: number } | null = null;

  /** @param before the face before the dot appeared: a slow device may next see it when it has moved */
  constructor(target: Target, before: SeenFace | null) {
    this.#target = target;
    this.#placedAt = before;
  }

  /** What to say after this look. */
  advice(face: SeenFace, aim: Direction, atMs: number): Advice | null {
    this.#placedAt ??= face;
    const advice =
      leans(face, this.#placedAt) && turnOf(aim) < TURNED ? 'turn_instead' : distance(aim, this.#target);
    if (advice !== this.#now?.advice) this.#now = { advice, sinceMs: atMs };
    return atMs - this.#now.sinceMs >= ADVICE_AFTER_MS ? advice : null;
  }
}

function leans(face: SeenFace, before: SeenFace): boolean {
  const moved = Math.hypot(
    face.x + face.width / 2 - before.x - before.width / 2,
    face.y + face.height / 2 - before.y - before.height / 2,
  );
  const tiltDeg = (Math.abs(rollOf(face.upperFace) - rollOf(before.upperFace)) * 180) / Math.PI;
  return moved > LEANS.share * before.width || tiltDeg > LEANS.deg;
}

/** Whether the head has turned the right way, but not far enough or too far. */
function distance(aim: Direction, target: Target): Advice | null {
  const { stricter } = ANSWER_LIMITS;
  const turn = turnOf(aim);
  const isRightWay = turn >= TURNED && angleErrorDeg(aim, target) <= TOLERANCE_DEG * (1 - stricter);
  if (!isRightWay || isOnTarget(aim, target, stricter)) return null;
  return turn < AMOUNTS[target.amount].dot ? 'further' : 'not_so_far';
}
