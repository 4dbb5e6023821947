// What the person is shown and told while the head turns to a dot, or is to be back for a smile. Pure.
import { rollOf } from '../../../src/contract/head-direction.ts';
import type { Asked } from '../../../src/contract/script.ts';
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
import type { Heading } from './head.ts';
import type { SeenFace } from './hint.ts';

export interface Aim {
  /** Where the nose points, from where it pointed before; null without a face or a dot. */
  readonly at: Direction | null;
  /** Share of the hold that is over, 0 to 1. */
  readonly held: number;
  /** What would help, if it has been so for a while. */
  readonly advice: Advice | null;
}

export type Advice = 'further' | 'not_so_far' | 'turn_instead' | 'look_ahead';

/** Nobody can follow advice that changes faster. Chosen, not measured. */
const ADVICE_AFTER_MS = 1_000;
/** Below this, a head has not turned, in scaled degrees: at rest it wanders by 1–3°. */
const TURNED = 4;
/**
 * A head that moves by this share of the width of its face's box, or is tilted by so much, without turning leans. Chosen,
 * not measured.
 */
const LEANS = { share: 0.2, deg: 10 };

/** Advises on one movement, look after look. */
export class Adviser {
  readonly #asked: Asked;
  #placedAt: SeenFace | null;
  #now: { readonly advice: Advice | null; readonly sinceMs: number } | null = null;

  /** @param before the face before the prompt: a slow device may next see it when it has moved */
  constructor(asked: Asked, before: SeenFace | null) {
    this.#asked = asked;
    this.#placedAt = before;
  }

  /** What to say after this look. */
  advice(face: SeenFace, heading: Heading, atMs: number): Advice | null {
    const advice = this.#adviceNow(face, heading);
    if (advice !== this.#now?.advice) this.#now = { advice, sinceMs: atMs };
    return atMs - this.#now.sinceMs >= ADVICE_AFTER_MS ? advice : null;
  }

  #adviceNow(face: SeenFace, { turn, aim }: Heading): Advice | null {
    if (this.#asked.prompt !== 'target') return turn > ANSWER_LIMITS.maxSmileTurn ? 'look_ahead' : null;
    this.#placedAt ??= face;
    const isLeaning = leans(face, this.#placedAt) && turnOf(aim) < TURNED;
    return isLeaning ? 'turn_instead' : distance(aim, this.#asked);
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
