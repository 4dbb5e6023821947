// The liveness script of one capture: which prompts, in which order, how many. It is drawn from a CSPRNG when recording
// starts and used once, so that no earlier recording can follow it.
import { randomInt } from 'node:crypto';
import type { AccessibleWay, AccessibleWayPolicy } from '../../contract/accessible-way.ts';
import type { LivenessLevel } from '../../contract/liveness-level.ts';
import { type Asked, type DrawnScript, isMovement, type Prompt, REST } from '../../contract/script.ts';
import { AMOUNT_NAMES, type Target } from '../../contract/target.ts';

type Movement = Exclude<Prompt, typeof REST>;

/** How often a script asks for each movement; their order is random. */
const COUNTS: Record<LivenessLevel, Record<Movement, number>> = {
  quick: { target: 1, smile: 1 },
  standard: { target: 2, smile: 1 },
  high: { target: 4, smile: 2 },
};
/** A script of one kind asks for as many of it as the level has movements, but for no more than this. */
const MAX_OF_ONE_KIND = 5;

/** Directions are drawn in whole degrees; each target's is at least a quarter of the circle from the last one's. */
const CIRCLE_DEG = 360;
const APART_DEG = 90;

/**
 * How long an answer is held before the next prompt, in milliseconds. It spans the frames that the judgement needs (five
 * at 12 a second) and is random, so that the next prompt cannot be predicted.
 */
const HOLD_MS = { least: 500, most: 700 };
/** The face at rest is measured in it. */
const FIRST_HOLD_MS = { least: 700, most: 1000 };
/** The only step of a script that asks for no movement: nothing follows it that could be predicted. */
const PASSIVE_HOLD_MS = 4000;
/**
 * After this long without an answer, the next prompt is shown: people take up to 2.5 s, then move, hold and perhaps
 * correct; and the guidance may miss an answer.
 */
const MAX_STEP_MS = 5000;

/** A uniform integer in [least, most]. */
export type DrawInteger = (least: number, most: number) => number;

const drawSecurely: DrawInteger = (least, most) => randomInt(least, most + 1);

/**
 * Draws a script: rest first, then the level's movements in random order. Between two movements of one kind stands rest,
 * so that each begins in the middle.
 * @param allowed what the operator allows; not empty
 * @param way what the person cannot do is left out; one of {@link openWays}
 */
export function drawScript(
  level: LivenessLevel,
  allowed: readonly Prompt[],
  way: AccessibleWay | null = null,
  draw: DrawInteger = drawSecurely,
): DrawnScript {
  const kinds = movementsOf(allowed).filter((kind) => !way || !LEFT_OUT[way].includes(kind));
  const counts = COUNTS[level];
  const all = Math.min(counts.target + counts.smile, MAX_OF_ONE_KIND);
  const order = shuffled(
    kinds.flatMap((kind) => Array<Movement>(kinds.length === 1 ? all : counts[kind]).fill(kind)),
    draw,
  );
  return {
    steps: [
      {
        prompt: REST,
        hold_ms: order.length === 0 ? PASSIVE_HOLD_MS : draw(FIRST_HOLD_MS.least, FIRST_HOLD_MS.most),
      },
      ...withRests(order, draw).map((asked) => ({ ...asked, hold_ms: draw(HOLD_MS.least, HOLD_MS.most) })),
    ],
    max_step_ms: MAX_STEP_MS,
    ...(way && { way }),
  };
}

/** What a way does not ask for. */
const LEFT_OUT: Readonly<Record<AccessibleWay, readonly Movement[]>> = {
  without_turns: ['target'],
  without_smile: ['smile'],
  passive: ['target', 'smile'],
};

/** The ways that are open to a person: one kind of movement may be left out only if another remains. */
export function openWays(allowed: readonly Prompt[], policy: AccessibleWayPolicy): AccessibleWay[] {
  const kinds = movementsOf(allowed);
  const ways: AccessibleWay[] = [];
  if (policy !== 'none' && kinds.length === 2) ways.push('without_turns', 'without_smile');
  if (policy === 'passive' && kinds.length > 0) ways.push('passive');
  return ways;
}

const movementsOf = (allowed: readonly Prompt[]): Movement[] =>
  [...new Set(allowed)].filter((prompt): prompt is Movement => isMovement(prompt));

/** All orders are equally likely (Fisher and Yates). */
function shuffled<Item>(items: readonly Item[], draw: DrawInteger): Item[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = draw(0, i);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

function withRests(order: readonly Movement[], draw: DrawInteger): Asked[] {
  let last: Target | null = null;
  return order.flatMap((prompt, i): Asked[] => {
    const rest: Asked[] = order[i - 1] === prompt ? [{ prompt: REST }] : [];
    if (prompt === 'smile') return [...rest, { prompt }];
    last = drawTarget(last, draw);
    return [...rest, { prompt, ...last }];
  });
}

function drawTarget(last: Target | null, draw: DrawInteger): Target {
  const angle_deg = last
    ? (last.angle_deg + draw(APART_DEG, CIRCLE_DEG - APART_DEG)) % CIRCLE_DEG
    : draw(0, CIRCLE_DEG - 1);
  return { angle_deg, amount: AMOUNT_NAMES[draw(0, AMOUNT_NAMES.length - 1)]! };
}
