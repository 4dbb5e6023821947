// The prompts, one row each: how an answer is measured, what contradicts it, and the reason when it is missing. A
// prompt added to src/contract does not compile until it has a row here, and every check reads the rows.
import type { AnswerMeasures } from '../../contract/answer-measures.ts';
import type { Prompt } from '../../contract/script.ts';
import type { ObservedFace } from '../face/observation.ts';
import type { ReasonCode } from '../reasons.ts';
import type { Result } from './cue.ts';

/** The measures of the person's face at rest. */
export type Neutral = AnswerMeasures;

export interface PromptRow {
  /** The cue that counts the answers; prompts may share one. */
  readonly cue: string;
  /** The results that are false if an answer is missing. */
  readonly results: readonly Result[];
  /** The reason given if an answer is missing. */
  readonly missing: ReasonCode;
  /** The reason when no step asks for it. */
  readonly notAsked: ReasonCode;
  /** Consecutive judged frames, each about a twelfth of a second, for which an answer must be held. */
  readonly heldFrames: number;
  /**
   * Whether an answer may last until the prompt comes again; if so, it does not count as begun before that prompt was
   * known.
   */
  readonly mayLast: boolean;
  /**
   * Whether the face, measured alone, shows nothing of the movement. If this is true of all rows, the face is at rest.
   */
  isUnmoved(face: ObservedFace): boolean;
  /** 0 at the person's neutral face, 1 or more if the prompt is answered. */
  strength(face: ObservedFace, neutral: Neutral): number;
}

/** Below this happiness a face is at rest; at rest it measures under 0.2 (laboratory). */
const MAX_NEUTRAL_HAPPY = 0.5;
/**
 * Change of apparent yaw that counts as a turn: turns 0.5–0.9, still talkers ≤ 0.15 (laboratory). Below it, a face
 * looks ahead.
 */
const MIN_TURN = 0.35;
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

/** Held for a quarter of a second. Chosen, not measured. */
const HELD_FRAMES = 3;
/**
 * The script asks for a smile to be held for 0.3 s, and people hold it until they have read the next prompt; a talker's
 * grimace lasts 4 frames.
 */
const SMILE_HELD_FRAMES = 5;

export const PROMPT_ROWS = {
  neutral: {
    cue: 'neutral',
    results: ['smile', 'script'],
    missing: 'neutral_missing',
    notAsked: 'not_applicable',
    heldFrames: HELD_FRAMES,
    mayLast: false,
    isUnmoved: () => true,
    strength: (face) => Number(isAtRest(face)),
  },
  smile: {
    cue: 'smile',
    results: ['smile'],
    missing: 'smile_missing',
    notAsked: 'smile_not_required',
    heldFrames: SMILE_HELD_FRAMES,
    mayLast: true,
    isUnmoved: ({ happy }) => happy < MAX_NEUTRAL_HAPPY,
    strength: smileStrength,
  },
  turn_left: {
    cue: 'turn',
    results: ['script'],
    missing: 'turn_missing',
    notAsked: 'turn_not_required',
    heldFrames: HELD_FRAMES,
    mayLast: false,
    isUnmoved: ({ yaw }) => yaw < MIN_TURN,
    strength: (face, neutral) => (face.yaw - neutral.yaw) / MIN_TURN,
  },
  turn_right: {
    cue: 'turn',
    results: ['script'],
    missing: 'turn_missing',
    notAsked: 'turn_not_required',
    heldFrames: HELD_FRAMES,
    mayLast: false,
    isUnmoved: ({ yaw }) => yaw > -MIN_TURN,
    strength: (face, neutral) => (neutral.yaw - face.yaw) / MIN_TURN,
  },
} as const satisfies Record<Prompt, PromptRow>;

/** The reasons for missing answers. */
export const MISSING_ANSWERS: readonly ReasonCode[] = [
  ...new Set(Object.values(PROMPT_ROWS).map(({ missing }) => missing)),
];

/** Whether the face is calm and looks ahead: it shows no movement for which there is a prompt. */
export function isAtRest(face: ObservedFace): boolean {
  return Object.values(PROMPT_ROWS).every((row) => row.isUnmoved(face));
}

/** A smile is only as strong as its weakest sign. In a turned face the mouth appears too narrow to be measured. */
function smileStrength(face: ObservedFace, neutral: Neutral): number {
  if (Math.abs(face.yaw) > MIN_TURN) return 0;
  const raise = Math.min(
    neutral.cornersBelowEyes - face.cornersBelowEyes,
    neutral.cornersBelowNose - face.cornersBelowNose,
  );
  const widening = face.mouthWidth - neutral.mouthWidth;
  return Math.min(face.happy / MIN_HAPPY, (widening + raise) / MIN_MOUTH_MOVEMENT, raise / MIN_RAISE);
}
