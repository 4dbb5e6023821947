// The prompts, one row each: how an answer is measured, what contradicts it, and the reason when it is missing. A prompt
// added to src/contract does not compile until it has a row here, and every check reads the rows.
import type { AnswerMeasures } from '../../contract/answer-measures.ts';
import type { Prompt } from '../../contract/script.ts';
import type { ObservedFace } from '../face/observation.ts';
import type { ReasonCode } from '../reasons.ts';
import type { Result } from './cue.ts';

/** What the person's face at rest measures. */
export type Neutral = AnswerMeasures;

export interface PromptRow {
  /** The cue that counts the answers; prompts may share one. */
  readonly cue: string;
  /** The results that are false where an answer is missing. */
  readonly results: readonly Result[];
  /** Why they are. */
  readonly missing: ReasonCode;
  /** The reason when no step asks for it. */
  readonly notAsked: ReasonCode;
  /** Judged frames in a row, some twelfths of a second, for which an answer must be held. */
  readonly heldFrames: number;
  /** Whether an answer may last until the prompt comes again: then it did not begin before its prompt was known. */
  readonly mayLast: boolean;
  /** Whether the face, measured alone, shows nothing of the movement. Where that is so of all rows, it is at rest. */
  isUnmoved(face: ObservedFace): boolean;
  /** 0 at the person's neutral face, 1 and more when the prompt is answered. */
  strength(face: ObservedFace, neutral: Neutral): number;
}

/** Below this happiness a face is at rest; at rest it measures under .2 (laboratory). */
const MAX_NEUTRAL_HAPPY = 0.5;
/** Change of apparent yaw that is a turn: turns .5–.9, still talkers ≤ .15 (laboratory). Below it a face looks ahead. */
const MIN_TURN = 0.35;
/**
 * Happiness of a smile; grimaces, shouts and talkers reach it too, so the mouth must move as a smile's does. (Smile
 * bench.)
 */
const MIN_HAPPY = 0.8;
/**
 * Widening of the mouth and raising of its corners over the own neutral face, in eye distances, added up: an open smile
 * .27–.47, the narrowest of public clips .19, a talker's happiest frames .15–.16 (smile bench). A closed-lips smile that
 * widens by .12 alone raises the corners by what is missing.
 */
const MIN_MOUTH_MOVEMENT = 0.17;
/** A shout and a grimace lower the corners (−.09 to .01), smiles raise them by .05 and more. (Smile bench.) */
const MIN_RAISE = 0.03;

/** Held for a quarter of a second. Chosen, not measured. */
const HELD_FRAMES = 3;
/** A smile that was asked for is held for .3 s by the script and until the next prompt is read; a talker's grimace lasts 4. */
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

/** Calm and looking ahead: no movement that there is a prompt for. */
export function isAtRest(face: ObservedFace): boolean {
  return Object.values(PROMPT_ROWS).every((row) => row.isUnmoved(face));
}

/** A smile is only as strong as the weakest of its signs. A turned face shows its mouth too narrow to be measured. */
function smileStrength(face: ObservedFace, neutral: Neutral): number {
  if (Math.abs(face.yaw) > MIN_TURN) return 0;
  const raise = Math.min(
    neutral.cornersBelowEyes - face.cornersBelowEyes,
    neutral.cornersBelowNose - face.cornersBelowNose,
  );
  const widening = face.mouthWidth - neutral.mouthWidth;
  return Math.min(face.happy / MIN_HAPPY, (widening + raise) / MIN_MOUTH_MOVEMENT, raise / MIN_RAISE);
}
