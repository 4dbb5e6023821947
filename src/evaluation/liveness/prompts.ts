// The prompts, one row each: how an answer is measured, what contradicts it, and the reason when it is missing. A
// prompt added to src/contract does not compile until it has a row here, and every check reads the rows.
import type { AnswerMeasures } from '../../contract/answer-measures.ts';
import { directionOf, type RestingFace, upperFaceOf } from '../../contract/head-direction.ts';
import type { Prompt } from '../../contract/script.ts';
import { AMOUNTS, type Direction, turnOf } from '../../contract/target.ts';
import type { ObservedFace } from '../face/observation.ts';
import type { ReasonCode } from '../reasons.ts';
import type { Result } from './cue.ts';

/** The person's own face at rest. */
export interface Rest {
  readonly measures: AnswerMeasures;
  readonly head: RestingFace;
}

export interface PromptRow {
  /** The cue that counts the answers. */
  readonly cue: string;
  /** The results that are false if an answer is missing. */
  readonly results: readonly Result[];
  /** The reason given if an answer is missing. */
  readonly missing: ReasonCode;
  /** The reason when no step asks for it. */
  readonly notAsked: ReasonCode;
  /**
   * Whether an answer may last until the prompt comes again; if so, it does not count as begun before that prompt was
   * known.
   */
  readonly mayLast: boolean;
}

/** A prompt that is answered by how the face looks at a moment. */
export interface ExpressionRow extends PromptRow {
  /** Consecutive judged frames, each about a twelfth of a second, for which an answer must be held. */
  readonly heldFrames: number;
  /** 0 at the person's own face at rest, 1 or more if the prompt is answered. */
  strength(face: ObservedFace, rest: Rest): number;
}

/** Below this happiness a face is at rest; at rest it measures under 0.2 (laboratory). */
const MAX_NEUTRAL_HAPPY = 0.5;
/** Below this apparent yaw, a face looks ahead: still talkers stay below 0.15 (laboratory). */
const MAX_AHEAD = 0.35;
/**
 * Happiness of a smile. Grimaces, shouts and talkers reach it too, so the mouth must also move as it does in a smile
 * (smile bench).
 */
const MIN_HAPPY = 0.8;
/**
 * Widening of the mouth plus raising of its corners, relative to the person's neutral face, in eye distances: an open
 * smile 0.27–0.47, the narrowest of public clips 0.19, a talker's happiest frames 0.15–0.16 (smile bench). A
 * closed-lips smile that widens the mouth by 0.12 makes up the difference by raising the corners.
 */
const MIN_MOUTH_MOVEMENT = 0.17;
/** A shout and a grimace lower the corners (−0.09 to 0.01); smiles raise them by 0.05 and more (smile bench). */
const MIN_RAISE = 0.03;
/**
 * A smile counts in the middle, so that a head cannot stay between two targets: the 7 scaled degrees of a head at rest,
 * and 3 by which a smile moves it. No smile of 91 honest takes lies outside (`bench:pad`).
 */
const MAX_SMILE_TURN = AMOUNTS.near.least + 3;

/** Held for a quarter of a second. Chosen, not measured. */
const HELD_FRAMES = 3;
/**
 * The script asks for a smile to be held for 0.3 s, and people hold it until they have read the next prompt; a talker's
 * grimace lasts 4 frames.
 */
const SMILE_HELD_FRAMES = 5;

export const EXPRESSION_ROWS = {
  neutral: {
    cue: 'neutral',
    results: ['smile', 'script'],
    missing: 'neutral_missing',
    notAsked: 'not_applicable',
    heldFrames: HELD_FRAMES,
    mayLast: false,
    strength: (face, rest) => Number(isAtRest(face) && turnOf(headOf(face, rest)) < AMOUNTS.near.least),
  },
  smile: {
    cue: 'smile',
    results: ['smile'],
    missing: 'smile_missing',
    notAsked: 'smile_not_required',
    heldFrames: SMILE_HELD_FRAMES,
    mayLast: true,
    strength: smileStrength,
  },
} as const satisfies Record<Exclude<Prompt, 'target'>, ExpressionRow>;

/** Every prompt. How a target is answered: targets.ts. */
export const PROMPT_ROWS = {
  ...EXPRESSION_ROWS,
  target: {
    cue: 'target',
    results: ['script'],
    missing: 'target_missing',
    notAsked: 'target_not_required',
    mayLast: false,
  },
} as const satisfies Record<Prompt, PromptRow>;

/** The reasons for missing answers. */
export const MISSING_ANSWERS: readonly ReasonCode[] = [
  ...new Set(Object.values(PROMPT_ROWS).map(({ missing }) => missing)),
];

/** Whether the face, measured alone, is calm and looks ahead. */
export function isAtRest({ happy, yaw }: ObservedFace): boolean {
  return happy < MAX_NEUTRAL_HAPPY && Math.abs(yaw) < MAX_AHEAD;
}

/** Where the nose points. */
export function headOf({ landmarks }: ObservedFace, { head }: Rest): Direction {
  return directionOf(upperFaceOf(landmarks), head);
}

/** A smile is only as strong as its weakest sign. In a turned face the mouth appears too narrow to be measured. */
function smileStrength(face: ObservedFace, rest: Rest): number {
  if (Math.abs(face.yaw) > MAX_AHEAD || turnOf(headOf(face, rest)) >= MAX_SMILE_TURN) return 0;
  const neutral = rest.measures;
  const raise = Math.min(
    neutral.cornersBelowEyes - face.cornersBelowEyes,
    neutral.cornersBelowNose - face.cornersBelowNose,
  );
  const widening = face.mouthWidth - neutral.mouthWidth;
  return Math.min(face.happy / MIN_HAPPY, (widening + raise) / MIN_MOUTH_MOVEMENT, raise / MIN_RAISE);
}
