// The liveness script: what the capture page prompts and when. The judgement checks the video against it.
import { Type } from 'typebox';
import { ACCESSIBLE_WAYS, type AccessibleWay } from './accessible-way.ts';
import { closed } from './field-types.ts';
import { PATH, type Path } from './path.ts';

/** What a prompt asks of the person: to rest, to smile or to turn the head. A script holds one of each allowed kind. */
type PromptKind = 'rest' | 'smile' | 'turn';

interface PromptTraits {
  readonly kind: PromptKind;
  /** What a mirrored recording of its answer shows. */
  readonly mirrored: string;
}

/**
 * All prompts. src/evaluation/liveness/prompts.ts says how an answer is measured. Left and right are the capture
 * subject's own.
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

/** Everything that a step may ask for. */
export type StepPrompt = Prompt | typeof PATH;
export const STEP_PROMPT_NAMES: readonly StepPrompt[] = [...PROMPT_NAMES, PATH];

/** The prompt that every script begins with, and that separates movements which may not follow each other. */
export const REST = 'neutral' satisfies Prompt;

/** Whether a prompt asks for a movement. */
export function isMovement(prompt: StepPrompt): boolean {
  return prompt === PATH || PROMPTS[prompt].kind !== 'rest';
}

/** The movements that oppose a prompt: those of another kind. Left and right do not oppose, as people confuse them. */
export function opposedBy(prompt: Prompt): Prompt[] {
  return PROMPT_NAMES.filter((other) => isMovement(other) && PROMPTS[other].kind !== PROMPTS[prompt].kind);
}

/** Maximum number of steps in a script. */
export const MAX_STEPS = 12;

const HoldMs = Type.Integer({ minimum: 0, maximum: 10_000 });
const Times = {
  from_ms: Type.Integer({ minimum: 0, maximum: 120_000 }),
  to_ms: Type.Integer({ minimum: 1, maximum: 120_000 }),
};
const Percent = Type.Integer({ minimum: -100, maximum: 100 });
const PathSchema = Type.Array(
  Type.Object({ at_ms: Type.Integer({ minimum: 0, maximum: 10_000 }), x: Percent, y: Percent }, closed),
  {
    minItems: 4,
    maxItems: 40,
    description: 'Positions of the mark; `samplePath` interpolates between them.',
  },
);
/** Present if the script leaves out what the person cannot do. */
const Way = Type.Optional(Type.Enum([...ACCESSIBLE_WAYS]));

/** Steps as drawn, starting with the first. */
export const DrawnSteps = Type.Array(
  Type.Union([
    Type.Object({ prompt: Prompt, hold_ms: HoldMs }, closed),
    Type.Object({ prompt: Type.Literal(PATH), hold_ms: HoldMs, path: PathSchema }, closed),
  ]),
  { minItems: 1, maxItems: MAX_STEPS },
);

/**
 * A script as drawn: its steps in order. A prompt is shown until its answer has been held for `hold_ms`, but no longer
 * than `max_step_ms`; then the next one follows. A path is shown for its whole duration, which is also its `hold_ms`.
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
export type DrawnStep =
  | { prompt: Prompt; hold_ms: number }
  | { prompt: typeof PATH; hold_ms: number; path: Path };
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
export type ScriptStep = { prompt: Prompt; from_ms: number; to_ms: number };
/** A path and when it was shown. */
export type PathStep = { prompt: typeof PATH; from_ms: number; to_ms: number; path: Path };

/** A script as the page ran it: steps in time order, not overlapping. The first is `neutral`. */
export const Script = Type.Object(
  {
    steps: Type.Array(
      Type.Union([
        Type.Object({ prompt: Prompt, ...Times }, closed),
        Type.Object({ prompt: Type.Literal(PATH), ...Times, path: PathSchema }, closed),
      ]),
      { minItems: 1, maxItems: MAX_STEPS },
    ),
    way: Way,
  },
  closed,
);
export type Script = { steps: (ScriptStep | PathStep)[]; way?: AccessibleWay };
