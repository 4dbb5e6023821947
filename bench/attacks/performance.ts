// What a person does before the camera: answers to a script in human time, and never quite still in between.
import type { DrawnScript, Prompt, Script } from '../../src/contract/script.ts';
import { unrest } from './camera.ts';
import { AT_REST, type Pose } from './head.ts';
import type { Chance } from './random.ts';

/**
 * Human times. Simple reactions to a shown word take .25–.5 s, slow people 1 s and more; turns of 17–34° at ordinary
 * pace. Each person has a delay of their own, and varies about it.
 */
const DELAY_MS = { least: 250, most: 900 };
const DELAY_VARIES = 0.25;
const MOVE_MS = { least: 280, most: 600 };
const TURN_RADIANS = { least: 0.3, most: 0.6 };
/** What the page needs to see an answer: a frame at 10 Hz, and the detector's own time. */
const GUIDANCE_LAG_MS = { least: 80, most: 250 };
/** Somebody at rest is seen to be after this time. */
const REST_MS = 200;

/** One movement: where head and mouth go to, when, and how long it takes. */
export interface Movement {
  readonly atMs: number;
  readonly lastsMs: number;
  readonly yaw: number;
  readonly smile: number;
}

/** A performance: the pose at each time. */
export type Performance = (timeMs: number) => Pose;

/** A person's way of answering. */
export interface Manner {
  /** From a prompt to the beginning of the movement, on average. */
  readonly delayMs?: number;
  /** Prompts that are left out. */
  readonly leavesOut?: (prompt: Prompt) => boolean;
}

/**
 * A script as this person lives it before a page that waits for each answer, and the performance: the page shows the
 * next prompt once it has seen the answer and it was held.
 */
export function live(
  drawn: DrawnScript,
  chance: Chance,
  { delayMs = chance.between(DELAY_MS.least, DELAY_MS.most), leavesOut = () => false }: Manner = {},
): { script: Script; performance: Performance } {
  const movements: Movement[] = [];
  const steps: Script['steps'] = [];
  let fromMs = 0;
  for (const { prompt, hold_ms } of drawn.steps) {
    const answered = !leavesOut(prompt);
    const first = steps.length === 0;
    const atMs = fromMs + (first ? 0 : delayMs * chance.between(1 - DELAY_VARIES, 1 + DELAY_VARIES));
    const lastsMs = first ? REST_MS : chance.between(MOVE_MS.least, MOVE_MS.most);
    if (answered && !first) movements.push({ atMs, lastsMs, ...movementOf(prompt, chance) });
    const seenMs = atMs + lastsMs + chance.between(GUIDANCE_LAG_MS.least, GUIDANCE_LAG_MS.most);
    const toMs = Math.round(
      answered ? Math.min(seenMs + hold_ms, fromMs + drawn.max_step_ms) : fromMs + drawn.max_step_ms,
    );
    steps.push({ prompt, from_ms: fromMs, to_ms: toMs });
    fromMs = toMs;
  }
  return { script: { steps }, performance: alive(movements, chance) };
}

/** Where each prompt's movement goes: the side of the turn, and whether it smiles. */
const MOVEMENTS: Readonly<Record<Prompt, { side: -1 | 0 | 1; smiles: boolean }>> = {
  neutral: { side: 0, smiles: false },
  smile: { side: 0, smiles: true },
  turn_left: { side: 1, smiles: false },
  turn_right: { side: -1, smiles: false },
};

/** The movement that a prompt asks for, as far as this person makes it. */
export function movementOf(prompt: Prompt, chance: Chance): { yaw: number; smile: number } {
  const { side, smiles } = MOVEMENTS[prompt];
  const turn = chance.between(TURN_RADIANS.least, TURN_RADIANS.most);
  return { yaw: side * turn, smile: smiles ? chance.between(0.9, 1) : 0 };
}

/** A script answered by nobody: each prompt is shown for this long. For footage that knows nothing of it. */
export function unanswered(drawn: DrawnScript, stepMs: number): Script {
  return {
    steps: drawn.steps.map(({ prompt }, i) => ({
      ...{ prompt, from_ms: Math.round(i * stepMs), to_ms: Math.round((i + 1) * stepMs) },
    })),
  };
}

/** Somebody who makes these movements and is never quite still in between. */
export function alive(movements: readonly Movement[], chance: Chance): Performance {
  const sway = {
    yaw: unrest(chance),
    pitch: unrest(chance),
    roll: unrest(chance),
    x: unrest(chance),
    y: unrest(chance),
  };
  const unquiet = chance.between(0.4, 2.5);
  const mouth = unrest(chance, 0.5, 3);
  const blinks = blinkTimes(chance);
  return (timeMs) => {
    let yaw = 0;
    let smile = 0;
    for (const movement of movements) {
      const done = eased((timeMs - movement.atMs) / movement.lastsMs);
      yaw += done * (movement.yaw - yaw);
      smile += done * (movement.smile - smile);
    }
    return {
      ...AT_REST,
      yaw: yaw + unquiet * 0.02 * sway.yaw(timeMs),
      pitch: unquiet * 0.02 * sway.pitch(timeMs),
      roll: unquiet * 0.012 * sway.roll(timeMs),
      shiftX: unquiet * 0.04 * sway.x(timeMs) + 0.12 * yaw,
      shiftY: unquiet * 0.03 * sway.y(timeMs),
      smile,
      blink: blinks.reduce((most, atMs) => Math.max(most, 1 - Math.abs(timeMs - atMs) / 130), 0),
      jaw: unquiet * 0.012 * mouth(timeMs),
    };
  };
}

function blinkTimes(chance: Chance): number[] {
  const times: number[] = [];
  for (let atMs = chance.between(300, 4000); atMs < 30_000; atMs += chance.between(1500, 5500))
    times.push(atMs);
  return times;
}

/** From 0 to 1 with a soft start and end, as limbs move (minimum jerk). */
export function eased(share: number): number {
  const t = Math.max(0, Math.min(1, share));
  return t * t * t * (10 - 15 * t + 6 * t * t);
}
