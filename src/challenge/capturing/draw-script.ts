// The liveness script of one capture: which prompts, in which order, how many. It is drawn from a CSPRNG when recording
// starts and used once, so that no earlier recording can follow it.
import { randomInt } from 'node:crypto';
import { type DrawInteger, drawPath, PATH, pathLengthMs } from '../../contract/path.ts';
import {
  type DrawnScript,
  type DrawnStep,
  isMovement,
  PROMPTS,
  type Prompt,
  REST,
  type StepPrompt,
} from '../../contract/script.ts';
import type { LivenessLevel } from '../settings.ts';

/**
 * Number of prompts after the first, which asks for rest. The number is drawn too, so a recording with another number
 * does not answer the script.
 */
const PROMPT_COUNTS: Record<LivenessLevel, { least: number; most: number }> = {
  quick: { least: 2, most: 3 },
  standard: { least: 4, most: 6 },
  high: { least: 6, most: 8 },
};

/**
 * How long an answer is held before the next prompt, in milliseconds. It spans several of the judgement's samples (12 a
 * second) and is random, so that the next prompt cannot be predicted. With delays of 0.6 s, a standard script lasts 8
 * to 12 s.
 */
const HOLD_MS = { least: 300, most: 800 };
const FIRST_HOLD_MS = { least: 700, most: 1200 };
/** The only step of a script if the operator allows nothing but `neutral`. */
const PASSIVE_HOLD_MS = { least: 3000, most: 4000 };
/**
 * After this long without an answer, the next prompt is shown: people take up to 2.5 s, and the guidance may miss an
 * answer.
 */
const MAX_STEP_MS = 6000;

/** How long the mark of a path moves. The whole step lasts about 2.1 s longer. */
const PATH_MOVING_MS: Record<LivenessLevel, number> = { quick: 3000, standard: 4000, high: 6000 };
/** A smile beside a path is held longer if the path is longer. */
const SMILE_HOLD_MS: Record<LivenessLevel, { least: number; most: number }> = {
  quick: HOLD_MS,
  standard: HOLD_MS,
  high: { least: 800, most: 1500 },
};

const drawSecurely: DrawInteger = (least, most) => randomInt(least, most + 1);

/**
 * Draws a script. If a path is allowed, the script is one path, with a smile before or after it if that is allowed.
 * Otherwise it consists of prompts alone.
 * @param allowed what the operator allows; not empty
 */
export function drawScript(
  level: LivenessLevel,
  allowed: readonly StepPrompt[],
  draw: DrawInteger = drawSecurely,
): DrawnScript {
  const prompts = withoutPath(allowed);
  return prompts.length === allowed.length
    ? drawPrompts(level, prompts, draw)
    : drawAroundPath(level, prompts, draw);
}

/** Whether turns may replace a path, for a person who cannot follow one. */
export function hasAccessibleWay(allowed: readonly StepPrompt[]): boolean {
  return allowed.includes(PATH) && withoutPath(allowed).some((prompt) => PROMPTS[prompt].kind === 'turn');
}

/** Draws a script of prompts for a person who cannot follow a path. Requires {@link hasAccessibleWay}. */
export function drawAccessibleScript(
  level: LivenessLevel,
  allowed: readonly StepPrompt[],
  draw: DrawInteger = drawSecurely,
): DrawnScript {
  return { ...drawPrompts(level, withoutPath(allowed), draw), accessible: true };
}

const withoutPath = (allowed: readonly StepPrompt[]): Prompt[] => allowed.filter((prompt) => prompt !== PATH);

function drawAroundPath(level: LivenessLevel, allowed: readonly Prompt[], draw: DrawInteger): DrawnScript {
  const path = drawPath(PATH_MOVING_MS[level], draw);
  const steps: DrawnStep[] = [{ prompt: PATH, hold_ms: pathLengthMs(path), path }];
  if (allowed.includes('smile')) {
    const { least, most } = SMILE_HOLD_MS[level];
    steps.splice(draw(0, 1), 0, { prompt: 'smile', hold_ms: draw(least, most) });
  }
  const rest: DrawnStep = { prompt: REST, hold_ms: draw(FIRST_HOLD_MS.least, FIRST_HOLD_MS.most) };
  return { steps: [rest, ...steps], max_step_ms: MAX_STEP_MS };
}

/**
 * Draws a script of prompts: rest first, no prompt twice in a row, and at least one of each kind among the allowed
 * prompts. The number of prompts is uniform, and so is their order among all orders of that number. A single allowed
 * moving prompt alternates with `neutral`.
 */
function drawPrompts(level: LivenessLevel, allowed: readonly Prompt[], draw: DrawInteger): DrawnScript {
  const { least, most } = PROMPT_COUNTS[level];
  const order = drawOrder(draw(least, most), [...new Set(allowed)], draw);
  const first = order.length === 0 ? PASSIVE_HOLD_MS : FIRST_HOLD_MS;
  return {
    steps: [
      { prompt: REST, hold_ms: draw(first.least, first.most) },
      ...order.map((prompt) => ({ prompt, hold_ms: draw(HOLD_MS.least, HOLD_MS.most) })),
    ],
    max_step_ms: MAX_STEP_MS,
  };
}

/**
 * Draws each prompt from all but the previous one; an order that lacks one of the kinds is drawn again. The order is
 * longer than `count` if there are more kinds than that.
 */
function drawOrder(count: number, allowed: readonly Prompt[], draw: DrawInteger): Prompt[] {
  const moving = allowed.filter(isMovement);
  if (moving.length === 0) return [];
  // A single moving prompt cannot follow itself.
  const pool: readonly Prompt[] = moving.length === 1 ? [REST, ...moving] : allowed;
  const kinds = [...new Set(moving.map((prompt) => PROMPTS[prompt].kind))];
  const length = Math.max(count, kinds.length);
  for (;;) {
    const order: Prompt[] = [];
    for (let i = 0; i < length; i++) {
      const next = pool.filter((prompt) => prompt !== (order.at(-1) ?? REST));
      order.push(next[draw(0, next.length - 1)]!);
    }
    if (kinds.every((kind) => order.some((prompt) => PROMPTS[prompt].kind === kind))) return order;
  }
}
