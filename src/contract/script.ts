// The liveness script: what the capture page prompts and when, and what the judgement holds the video against.
import { Type } from 'typebox';

export const PROMPTS = ['neutral', 'smile', 'turn_left', 'turn_right'] as const;

/** A prompt. Left and right are the capture subject's own. */
export const Prompt = Type.Enum([...PROMPTS]);
export type Prompt = (typeof PROMPTS)[number];

/** One prompted window; times in milliseconds from the first frame of the video. */
export const ScriptStep = Type.Object(
  {
    prompt: Prompt,
    from_ms: Type.Integer({ minimum: 0, maximum: 120_000 }),
    to_ms: Type.Integer({ minimum: 1, maximum: 120_000 }),
  },
  { additionalProperties: false },
);
export type ScriptStep = { prompt: Prompt; from_ms: number; to_ms: number };

/** A script: steps in time order, without overlap. The first is `neutral`. */
export const Script = Type.Object(
  { steps: Type.Array(ScriptStep, { minItems: 1, maxItems: 12 }) },
  { additionalProperties: false },
);
export type Script = { steps: ScriptStep[] };
