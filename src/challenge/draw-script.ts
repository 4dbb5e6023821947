// The liveness script of one capture: which prompts, in which order, how many. Drawn from a CSPRNG when recording starts
// and given out once, so that no earlier recording follows it.
import { randomInt } from 'node:crypto';
import { type DrawInteger, drawPath, PATH, pathLengthMs } from '../contract/path.ts';
import {
  type DrawnScript,
  type DrawnStep,
  isMovement,
  PROMPTS,
  type Prompt,
  REST,
  type StepPrompt,
} from '../contract/script.ts';
import type { LivenessLevel } from './settings.ts';

/** Prompts after the first, which asks for rest. How many is drawn too: a recording with another number is no answer. */
const PROMPT_COUNTS: Record<LivenessLevel, { least: number; most: number }> = {
  quick: { least: 2, most: 3 },
  standard: { least: 4, most: 6 },
  high: { least: 6, most: 8 },
};

/**
 * How long an answer is held before the next prompt, in milliseconds: several of the judgement's samples (12 a second),
 * and random, so that nobody knows when the next one comes. With delays of .6 s a standard script lasts 8 to 12 s.
 */
const HOLD_MS = { least: 300, most: 800 };
const FIRST_HOLD_MS = { least: 700, most: 1200 };
/** The one step of a script where the operator allows `neutral` alone. */
const PASSIVE_HOLD_MS = { least: 3000, most: 4000 };
/** After this long without an answer the next prompt is shown: people take up to 2.5 s, and guidance may miss one. */
const MAX_STEP_MS = 6000;

/** How long the mark of a path moves. The whole step lasts some 2.1 s longer. */
const PATH_MOVING_MS: Record<LivenessLevel, number> = { quick: 3000, standard: 4000, high: 6000 };
/** A smile beside a path: with the longer path a longer smile. */
const SMILE_HOLD_MS: Record<LivenessLevel, { least: number; most: number }> = {
  quick: HOLD_MS,
  standard: HOLD_MS,
  high: { least: 800, most: 1500 },
};

const drawSecurely: DrawInteger = (least, most) => randomInt(least, most + 1);

/**
 * Draws a script. Where a path is allowed it is one path, and a smile before or after it where that is allowed; else it is
 * one of prompts alone.
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

/** Whether turns may take the place of a path, for a person who cannot follow one. */
export function hasAccessibleWay(allowed: readonly StepPrompt[]): boolean {
  return allowed.includes(PATH) && withoutPath(allowed).some((prompt) => PROMPTS[prompt].kind === 'turn');
}

/** Draws a script of prompts for a person who cannot follow a path; only where {@link hasAccessibleWay}. */
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
 * Draws a script of prompts: rest first, no prompt twice running, with one of each kind that the allowed prompts have. The number
 * of prompts is uniform, and so is their order among those of that number. Where only one moving prompt is allowed, it
 * alternates with `neutral`.
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
 * Each next prompt is any other than the last; an order without one of the kinds is drawn anew. It is longer than `count`
 * where there are more kinds than that.
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
