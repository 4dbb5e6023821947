// Decides from the mesh alone whether a prompt is answered: the page shows each prompt until its answer has been held.
// The server judges the recording independently; the limits here are a little stricter, so that what ends a step
// counts.
import { type AnswerMeasures, answerMeasures } from '../../../src/contract/answer-measures.ts';
import type { Asked } from '../../../src/contract/script.ts';
import { AMOUNTS, isOnTarget, MAX_ROLL_DEG, type Target } from '../../../src/contract/target.ts';
import type { Heading } from './head.ts';

/**
 * A test checks these against the thresholds of src/evaluation/liveness/prompts.ts: there a smile is 0.17 of movement
 * and 0.03 of raising, by a head that has turned by less than 10°, and one that has turned by less than 7° is back. The
 * margins are chosen, not measured: the page's mesh is in whole pixels of its own frames.
 */
export const ANSWER_LIMITS = {
  /** Rest and smiles require a face that looks ahead, whatever the person's own neutral face. */
  maxRestYaw: 0.3,
  /** After the first step, rest also requires a head that is back, in scaled degrees. */
  maxRestTurn: 5.5,
  /** A smile moves the head too. In scaled degrees. */
  maxSmileTurn: 8.5,
  minMouthMovement: 0.2,
  minRaise: 0.04,
  /** With less than this of a smile's movement, the mouth is at rest. */
  maxRestMovement: 0.1,
  /** Share by which a target's tolerances are drawn in. */
  stricter: 0.15,
} as const;

/** What one look says of the only face. */
export interface LookedAt {
  readonly measures: AnswerMeasures;
  /** Null while the person's resting face is unknown. */
  readonly heading: Heading | null;
}

/** Whether the face answers the prompt. `neutral` is the person's own face at rest; null while unknown. */
export function isAnswer(
  asked: Asked,
  { measures, heading }: LookedAt,
  neutral: AnswerMeasures | null,
): boolean {
  const looksAhead = Math.abs(measures.yaw) <= ANSWER_LIMITS.maxRestYaw;
  switch (asked.prompt) {
    case 'neutral': {
      if (!looksAhead || neutral === null) return looksAhead;
      const isBack = heading !== null && heading.turn <= ANSWER_LIMITS.maxRestTurn;
      return isBack && smileMovement(measures, neutral).movement <= ANSWER_LIMITS.maxRestMovement;
    }
    case 'smile': {
      if (neutral === null || heading === null || !looksAhead) return false;
      if (heading.turn > ANSWER_LIMITS.maxSmileTurn) return false;
      const { movement, raise } = smileMovement(measures, neutral);
      return movement >= ANSWER_LIMITS.minMouthMovement && raise >= ANSWER_LIMITS.minRaise;
    }
    case 'target':
      return (
        heading !== null &&
        heading.rollDeg <= MAX_ROLL_DEG &&
        isOnTarget(heading.aim, asked, ANSWER_LIMITS.stricter)
      );
  }
}

/**
 * How near the face comes to answering a prompt for a movement: at 1 it does, if nothing else is in the way. Null if
 * that cannot be told.
 */
export function nearness(
  asked: Asked,
  { measures, heading }: LookedAt,
  neutral: AnswerMeasures | null,
): number | null {
  if (neutral === null || heading === null || asked.prompt === 'neutral') return null;
  if (asked.prompt === 'target') return turnTowards(heading, asked) / AMOUNTS[asked.amount].least;
  return smileMovement(measures, neutral).movement / ANSWER_LIMITS.minMouthMovement;
}

/** How far the head has turned towards a target, in scaled degrees. */
function turnTowards({ aim }: Heading, { angle_deg }: Target): number {
  const angle = (angle_deg * Math.PI) / 180;
  return aim.x * Math.cos(angle) + aim.y * Math.sin(angle);
}

/**
 * How far the mouth's corners are raised above the person's own neutral face, and that plus the widening, in eye
 * distances.
 */
function smileMovement(face: AnswerMeasures, neutral: AnswerMeasures): { raise: number; movement: number } {
  const raise = Math.min(
    neutral.cornersBelowEyes - face.cornersBelowEyes,
    neutral.cornersBelowNose - face.cornersBelowNose,
  );
  return { raise, movement: raise + face.mouthWidth - neutral.mouthWidth };
}

/** The median of every measure; null without faces. */
export function neutralOf(faces: readonly AnswerMeasures[]): AnswerMeasures | null {
  if (faces.length === 0) return null;
  return answerMeasures((measure) => {
    const sorted = faces.map((face) => face[measure]).sort((one, other) => one - other);
    return sorted[sorted.length >> 1]!;
  });
}
