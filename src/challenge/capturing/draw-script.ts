// The liveness script of one capture: which prompts, in which order, how many. It is drawn from a CSPRNG when recording
// starts and used once, so that no earlier recording can follow it.
import { randomInt } from 'node:crypto';
import type { AccessibleWay, AccessibleWayPolicy } from '../../contract/accessible-way.ts';
import type { LivenessLevel } from '../../contract/liveness-level.ts';
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
 * A script of one kind of movement has this many prompts more, but no more than any script may have: each of its answers
 * is one of fewer that are possible. Chosen, not measured.
 */
const MORE_OF_ONE_KIND = 1;

/**
 * How long an answer is held before the next prompt, in milliseconds. It spans several of the judgement's samples (12 a
 * second) and is random, so that the next prompt cannot be predicted. With delays of 0.6 s, a standard script lasts 8
 * to 12 s.
 */
const HOLD_MS = { least: 300, most: 800 };
const FIRST_HOLD_MS = { least: 700, most: 1200 };
/** The only step of a script that asks for no movement. */
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
 * @param way what the person cannot do is left out; one of {@link openWays}
 */
export function drawScript(
  level: LivenessLevel,
  allowed: readonly StepPrompt[],
  way: AccessibleWay | null = null,
  draw: DrawInteger = drawSecurely,
): DrawnScript {
  const asked = allowed.filter((prompt) => !way || !LEFT_OUT[way].includes(kindOf(prompt)));
  const prompts = asked.filter((prompt) => prompt !== PATH);
  const more = way ? MORE_OF_ONE_KIND : 0;
  const script =
    prompts.length === asked.length
      ? drawPrompts(level, prompts, more, draw)
      : drawAroundPath(level, prompts, draw);
  return way ? { ...script, way } : script;
}

type Kind = (typeof PROMPTS)[Prompt]['kind'];

/** A path is followed by turning the head. */
const kindOf = (prompt: StepPrompt): Kind => (prompt === PATH ? 'turn' : PROMPTS[prompt].kind);

/** What a way does not ask for. */
const LEFT_OUT: Readonly<Record<AccessibleWay, readonly Kind[]>> = {
  without_turns: ['turn'],
  without_smile: ['smile'],
  passive: ['turn', 'smile'],
};

/** The ways that are open to a person: one kind of movement may be left out only if another remains. */
export function openWays(allowed: readonly StepPrompt[], policy: AccessibleWayPolicy): AccessibleWay[] {
  const kinds = new Set(allowed.map(kindOf));
  kinds.delete('rest');
  const ways: AccessibleWay[] = [];
  if (policy !== 'none' && kinds.size === 2) ways.push('without_turns', 'without_smile');
  if (policy === 'passive' && kinds.size > 0) ways.push('passive');
  return ways;
}

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
 * @param more prompts beyond the level's
 */
function drawPrompts(
  level: LivenessLevel,
  allowed: readonly Prompt[],
  more: number,
  draw: DrawInteger,
): DrawnScript {
  const { least, most } = PROMPT_COUNTS[level];
  const count = Math.min(draw(least, most) + more, PROMPT_COUNTS.high.most);
  const order = drawOrder(count, [...new Set(allowed)], draw);
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
