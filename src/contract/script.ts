// The liveness script: what the capture page prompts and when. The judgement checks the video against it.
import { Type } from 'typebox';
import { ACCESSIBLE_WAYS, type AccessibleWay } from './accessible-way.ts';
import { closed } from './field-types.ts';
import { AMOUNT_NAMES, type Target } from './target.ts';

/**
 * All prompts: to rest, to smile, and to turn the nose to a dot and hold it there. src/evaluation/liveness/prompts.ts
 * says how an answer is measured.
 */
export const PROMPT_NAMES = ['neutral', 'smile', 'target'] as const;
export type Prompt = (typeof PROMPT_NAMES)[number];
export const Prompt = Type.Enum([...PROMPT_NAMES]);

/** The prompt that every script begins with, and that separates movements which may not follow each other. */
export const REST = 'neutral' satisfies Prompt;

/** Whether a prompt asks for a movement. */
export function isMovement(prompt: Prompt): boolean {
  return prompt !== REST;
}

/** Whether any step asks for a movement; a recording without a script was asked for none. */
export const asksForMovement = (script: Script | null): boolean =>
  script?.steps.some(({ prompt }) => isMovement(prompt)) ?? false;

/** Maximum number of steps in a script. */
export const MAX_STEPS = 12;

const HoldMs = Type.Integer({ minimum: 0, maximum: 10_000 });
const Times = {
  from_ms: Type.Integer({ minimum: 0, maximum: 120_000 }),
  to_ms: Type.Integer({ minimum: 1, maximum: 120_000 }),
};
/** The prompts that say all by their name. */
const Named = Type.Enum(['neutral', 'smile']);
const TargetFields = {
  prompt: Type.Literal('target'),
  angle_deg: Type.Integer({
    minimum: 0,
    maximum: 359,
    description: "Counter-clockwise from the person's own left in the camera's picture.",
  }),
  amount: Type.Enum([...AMOUNT_NAMES]),
};
/** Present if the script leaves out what the person cannot do. */
const Way = Type.Optional(Type.Enum([...ACCESSIBLE_WAYS]));

/** Steps as drawn, starting with the first. */
export const DrawnSteps = Type.Array(
  Type.Union([
    Type.Object({ prompt: Named, hold_ms: HoldMs }, closed),
    Type.Object({ ...TargetFields, hold_ms: HoldMs }, closed),
  ]),
  { minItems: 1, maxItems: MAX_STEPS },
);

/**
 * A script as drawn: its steps in order. A prompt is shown until its answer has been held for `hold_ms`, but no longer
 * than `max_step_ms`; then the next one follows.
 */
export const DrawnScript = Type.Object(
  {
    steps: DrawnSteps,
    max_step_ms: Type.Integer({ minimum: 500, maximum: 10_000 }),
    way: Way,
    just_in_time: Type.Optional(
      Type.Literal(true, { description: 'Steps are handed out one at a time, never ahead.' }),
    ),
  },
  closed,
);
/** What a step asks for. */
export type Asked = { prompt: Exclude<Prompt, 'target'> } | ({ prompt: 'target' } & Target);
export type DrawnStep = Asked & { hold_ms: number };
export interface DrawnScript {
  steps: DrawnStep[];
  max_step_ms: number;
  way?: AccessibleWay;
  /** Present if no step is handed out ahead of time, however slow the network is. */
  just_in_time?: true;
}

/**
 * LIVENESS_JUST_IN_TIME. `observe` only notes that prompts were known ahead of time; `require` sends such a capture
 * back, and no prompt is handed out ahead.
 */
export const JUST_IN_TIME_MODES = ['observe', 'require'] as const;
export type JustInTimeMode = (typeof JUST_IN_TIME_MODES)[number];

/** One prompt and when it was shown, in milliseconds from the first frame of the video. */
export type ScriptStep = Asked & { from_ms: number; to_ms: number };

/** A script as the page ran it: steps in time order, not overlapping. The first is `neutral`. */
export const Script = Type.Object(
  {
    steps: Type.Array(
      Type.Union([
        Type.Object({ prompt: Named, ...Times }, closed),
        Type.Object({ ...TargetFields, ...Times }, closed),
      ]),
      { minItems: 1, maxItems: MAX_STEPS },
    ),
    way: Way,
  },
  closed,
);
export type Script = { steps: ScriptStep[]; way?: AccessibleWay };
