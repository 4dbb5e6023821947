// The liveness script: what the capture page prompts, when it was shown, and what the judgement holds the video against.
import { Type } from 'typebox';
import { DrawnLight } from './screen-light.ts';

/** What a prompt asks of the person: to be at rest, to smile, to turn the head. A script holds one of each kind allowed. */
type PromptKind = 'rest' | 'smile' | 'turn';

interface PromptTraits {
  readonly kind: PromptKind;
  /** What a mirrored recording of its answer shows. */
  readonly mirrored: string;
}

/**
 * The prompts there are, a row each. How an answer is measured: src/evaluation/liveness/prompts.ts. Left and right are
 * the capture subject's own.
 */
export const PROMPTS = {
  neutral: { kind: 'rest', mirrored: 'neutral' },
  smile: { kind: 'smile', mirrored: 'smile' },
  turn_left: { kind: 'turn', mirrored: 'turn_right' },
  turn_right: { kind: 'turn', mirrored: 'turn_left' },
} as const satisfies Record<string, PromptTraits>;

export type Prompt = keyof typeof PROMPTS;
export const PROMPT_NAMES = Object.keys(PROMPTS) as Prompt[];
export const Prompt = Type.Enum([...PROMPT_NAMES]);

/** What every script begins with, and stands between movements that may not follow each other. */
export const REST = 'neutral' satisfies Prompt;

/** Whether a prompt asks for a movement. */
export function isMovement(prompt: Prompt): boolean {
  return PROMPTS[prompt].kind !== 'rest';
}

/** The movements that oppose a prompt: those of another kind. Left and right do not: people confuse them. */
export function opposedBy(prompt: Prompt): Prompt[] {
  return PROMPT_NAMES.filter((other) => isMovement(other) && PROMPTS[other].kind !== PROMPTS[prompt].kind);
}

/** Steps of a script at most. */
const MAX_STEPS = 12;

/**
 * A script as it is drawn: the prompts in order. Each is shown until its answer has been held for `hold_ms`, at most
 * `max_step_ms`; then the next one is.
 */
export const DrawnScript = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        { prompt: Prompt, hold_ms: Type.Integer({ minimum: 0, maximum: 10_000 }) },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MAX_STEPS },
    ),
    max_step_ms: Type.Integer({ minimum: 500, maximum: 10_000 }),
    light: Type.Optional(DrawnLight),
  },
  { additionalProperties: false },
);
export interface DrawnScript {
  steps: { prompt: Prompt; hold_ms: number }[];
  max_step_ms: number;
  /** Absent where no light is shown. */
  light?: DrawnLight;
}

/** One prompt and when it was shown; times in milliseconds from the first frame of the video. */
export const ScriptStep = Type.Object(
  {
    prompt: Prompt,
    from_ms: Type.Integer({ minimum: 0, maximum: 120_000 }),
    to_ms: Type.Integer({ minimum: 1, maximum: 120_000 }),
  },
  { additionalProperties: false },
);
export type ScriptStep = { prompt: Prompt; from_ms: number; to_ms: number };

/** A script as it was lived: steps in time order, without overlap. The first is `neutral`. */
export const Script = Type.Object(
  { steps: Type.Array(ScriptStep, { minItems: 1, maxItems: MAX_STEPS }) },
  { additionalProperties: false },
);
export type Script = { steps: ScriptStep[] };
