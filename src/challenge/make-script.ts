// The liveness script of one capture: which prompts, in which order, how long each. Drawn from a CSPRNG when recording
// starts and given out once, so that no earlier recording follows it (contract §7).
import { randomInt } from 'node:crypto';
import type { Prompt, Script, ScriptStep } from '../contract/script.ts';
import type { LivenessLevel } from './settings.ts';

/** Prompts after the first, neutral one. */
const PROMPT_COUNTS: Record<LivenessLevel, number> = { quick: 2, standard: 4, high: 6 };

/**
 * Lengths in milliseconds. Reaction and movement of a person take up to about a second, and a smile must be held for
 * several of the judgement's samples (12 a second); with these a standard script lasts 6.0 to 8.2 s (issue 2: 6–8 s).
 */
const FIRST_NEUTRAL_MS = { least: 900, most: 1400 };
const STEP_MS = { least: 1275, most: 1700 };
/** The one step of a script where the operator allows `neutral` alone. */
const PASSIVE_MS = { least: 3000, most: 4000 };

/** A uniform integer in [least, most]; a test may hold it. */
export type Draw = (least: number, most: number) => number;

const drawSecurely: Draw = (least, most) => randomInt(least, most + 1);

/**
 * Draws a script: `neutral` first, no prompt twice running, with a smile and a turn where the allowed prompts have them.
 * Every such order is equally likely. Where only one moving prompt is allowed, it alternates with `neutral`.
 * @param allowed prompts that the operator allows; not empty
 */
export function makeScript(
  level: LivenessLevel,
  allowed: readonly Prompt[],
  draw: Draw = drawSecurely,
): Script {
  const orders = possibleOrders(PROMPT_COUNTS[level], [...new Set(allowed)]);
  const order = orders[draw(0, orders.length - 1)]!;
  const steps: ScriptStep[] = [];
  let from_ms = 0;
  for (const prompt of ['neutral' as const, ...order]) {
    const lengths = order.length === 0 ? PASSIVE_MS : steps.length === 0 ? FIRST_NEUTRAL_MS : STEP_MS;
    const to_ms = from_ms + draw(lengths.least, lengths.most);
    steps.push({ prompt, from_ms, to_ms });
    from_ms = to_ms;
  }
  return { steps };
}

/** When the last step ends, in milliseconds. */
export function scriptLengthMs(script: Script): number {
  return script.steps.at(-1)!.to_ms;
}

/** Every order of `count` prompts that may follow the first neutral one: at most 4^6. */
function possibleOrders(count: number, allowed: readonly Prompt[]): Prompt[][] {
  const moving = allowed.filter((prompt) => prompt !== 'neutral');
  if (moving.length === 0) return [[]];
  // A single moving prompt cannot follow itself.
  const pool: Prompt[] = moving.length === 1 ? ['neutral', ...moving] : [...allowed];
  let orders: Prompt[][] = [[]];
  for (let length = 0; length < count; length++) {
    orders = orders.flatMap((order) =>
      pool.filter((prompt) => prompt !== (order.at(-1) ?? 'neutral')).map((prompt) => [...order, prompt]),
    );
  }
  return orders.filter(
    (order) =>
      (!moving.includes('smile') || order.includes('smile')) && (!moving.some(isTurn) || order.some(isTurn)),
  );
}

const isTurn = (prompt: Prompt): boolean => prompt === 'turn_left' || prompt === 'turn_right';
