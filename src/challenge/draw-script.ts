// The liveness script of one capture: which prompts, in which order, how many. Drawn from a CSPRNG when recording starts
// and given out once, so that no earlier recording follows it.
import { randomInt } from 'node:crypto';
import { type DrawnScript, isMovement, PROMPTS, type Prompt, REST } from '../contract/script.ts';
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

/** A uniform integer in [least, most]; a test may hold it. */
export type Draw = (least: number, most: number) => number;

const drawSecurely: Draw = (least, most) => randomInt(least, most + 1);

/**
 * Draws a script: rest first, no prompt twice running, with one of each kind that the allowed prompts have. The number
 * of prompts is uniform, and so is their order among those of that number. Where only one moving prompt is allowed, it
 * alternates with `neutral`.
 * @param allowed prompts that the operator allows; not empty
 */
export function drawScript(
  level: LivenessLevel,
  allowed: readonly Prompt[],
  draw: Draw = drawSecurely,
): DrawnScript {
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
function drawOrder(count: number, allowed: readonly Prompt[], draw: Draw): Prompt[] {
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
