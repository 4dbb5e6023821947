// Decides from the mesh alone whether a prompt is answered: the page shows each prompt until its answer has been held.
// The server judges the recording independently; the limits here are a little stricter, so that what ends a step
// counts.
import { type AnswerMeasures, answerMeasures } from '../../../src/contract/answer-measures.ts';
import type { Prompt } from '../../../src/contract/script.ts';

/**
 * A test checks these against the thresholds of src/evaluation/liveness/prompts.ts: there a turn is 0.35, below that
 * the head is at rest, and a smile is 0.17 of movement and 0.03 of raising. The margins are chosen, not measured: the
 * page's mesh is in whole pixels of its own frames.
 */
export const ANSWER_LIMITS = {
  minTurn: 0.38,
  /** Rest and smiles require a face that looks ahead, whatever the person's own neutral face. */
  maxRestYaw: 0.3,
  minMouthMovement: 0.2,
  minRaise: 0.04,
  /** With less than this of a smile's movement, the mouth is at rest. */
  maxRestMovement: 0.1,
} as const;

/** Whether the face answers the prompt. `neutral` is the person's own face at rest; null while unknown. */
export function isAnswer(prompt: Prompt, face: AnswerMeasures, neutral: AnswerMeasures | null): boolean {
  const turned = face.yaw - (neutral?.yaw ?? 0);
  switch (prompt) {
    case 'neutral':
      return (
        Math.abs(face.yaw) <= ANSWER_LIMITS.maxRestYaw &&
        (neutral === null || smileMovement(face, neutral).movement <= ANSWER_LIMITS.maxRestMovement)
      );
    case 'smile': {
      if (neutral === null || Math.abs(face.yaw) > ANSWER_LIMITS.maxRestYaw) return false;
      const { movement, raise } = smileMovement(face, neutral);
      return movement >= ANSWER_LIMITS.minMouthMovement && raise >= ANSWER_LIMITS.minRaise;
    }
    case 'turn_left':
      return neutral !== null && turned >= ANSWER_LIMITS.minTurn;
    case 'turn_right':
      return neutral !== null && -turned >= ANSWER_LIMITS.minTurn;
  }
}

/**
 * The prompt that a camera which mirrors its picture shows answered in place of this one. Written again, because the
 * contract's table of prompts would bring its schemas into the page; a test compares the two.
 */
export function mirroredPrompt(prompt: Prompt): Prompt {
  if (prompt === 'turn_left') return 'turn_right';
  return prompt === 'turn_right' ? 'turn_left' : prompt;
}

/**
 * How near the face comes to answering a prompt for a movement: at 1 it does, if nothing else is in the way. Null if
 * that cannot be told.
 */
export function nearness(
  prompt: Prompt,
  face: AnswerMeasures,
  neutral: AnswerMeasures | null,
): number | null {
  if (neutral === null || prompt === 'neutral') return null;
  if (prompt === 'smile') return smileMovement(face, neutral).movement / ANSWER_LIMITS.minMouthMovement;
  const turned = face.yaw - neutral.yaw;
  return (prompt === 'turn_left' ? turned : -turned) / ANSWER_LIMITS.minTurn;
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
