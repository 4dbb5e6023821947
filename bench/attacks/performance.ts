// What a person does in front of the camera: answers a script in human time, and is never quite still in between.
import type { Asked, DrawnScript, DrawnStep, Script } from '../../src/contract/script.ts';
import { performedStep } from '../../src/contract/script-steps.ts';
import { AMOUNTS, type Direction, isOnTarget, type Target, turnOf } from '../../src/contract/target.ts';
import { aimedAt, directionOfPose, turnedTo } from './aim.ts';
import { sway } from './camera.ts';
import { AT_REST, type Pose } from './head.ts';
import type { Chance } from './random.ts';

/**
 * Human times. Simple reactions to a displayed word take 0.25–0.5 s, those of slow people 1 s and more. Each person has
 * their own mean delay and varies around it.
 */
const DELAY_MS = { least: 250, most: 900 };
const DELAY_VARIES = 0.25;
const MOVE_MS = { least: 280, most: 600 };
/** Time that the page needs to see an answer: a frame at 10 Hz, and the detector's own time. */
const GUIDANCE_LAG_MS = { least: 80, most: 250 };
/** Time after which a person at rest is seen to be at rest. */
const REST_MS = 200;
/** From the end of a movement until the person has seen on the page where the nose points, and corrects it. */
const CORRECTS_AFTER_MS = { least: 300, most: 500 };
/** Share of the tolerances that the page keeps for itself: nobody has to hold the nose at the limit. */
const PAGE_STRICTER = 0.2;

/** One movement: the pose that head and mouth move to, when, and how long it takes. */
export interface Movement {
  readonly atMs: number;
  readonly lastsMs: number;
  readonly yaw: number;
  readonly pitch: number;
  readonly smile: number;
}

/** A performance: the pose at each time. */
export type Performance = (timeMs: number) => Pose;

/** A person's manner of answering. */
export interface Manner {
  /** Mean time from a prompt to the start of the movement. */
  readonly delayMs?: number;
}

/**
 * The script as this person performs it for a page that waits for each answer, and the performance itself: the page
 * shows the next prompt once it has seen the answer held.
 */
export function live(
  drawn: DrawnScript,
  chance: Chance,
  { delayMs = chance.between(DELAY_MS.least, DELAY_MS.most) }: Manner = {},
): { script: Script; performance: Performance } {
  const movements: Movement[] = [];
  const steps: Script['steps'] = [];
  let fromMs = 0;
  for (const step of drawn.steps) {
    const first = steps.length === 0;
    const atMs = fromMs + (first ? 0 : delayMs * chance.between(1 - DELAY_VARIES, 1 + DELAY_VARIES));
    const { made, endMs } = first ? { made: [], endMs: REST_MS } : answering(step, atMs, chance);
    movements.push(...made);
    const latestMs = fromMs + drawn.max_step_ms;
    const seenMs = (endMs ?? latestMs) + chance.between(GUIDANCE_LAG_MS.least, GUIDANCE_LAG_MS.most);
    const toMs = Math.round(Math.min(seenMs + step.hold_ms, latestMs));
    steps.push(performedStep(step, fromMs, toMs));
    fromMs = toMs;
  }
  return { script: { steps, ...wayOf(drawn) }, performance: alive(movements, chance) };
}

/** The movements of an answer that begins at this time, and when it was first right; null: never. */
function answering(
  step: DrawnStep,
  atMs: number,
  chance: Chance,
): { made: Movement[]; endMs: number | null } {
  const lastsMs = chance.between(MOVE_MS.least, MOVE_MS.most);
  const endMs = atMs + lastsMs;
  if (step.prompt !== 'target') return { made: [{ atMs, lastsMs, ...movementOf(step, chance) }], endMs };
  const first = aimedAt(step, chance, 'blind');
  const made = [turning(first, atMs, lastsMs)];
  if (isSeenOn(first, step)) return { made, endMs };
  const corrected = aimedAt(step, chance, 'guided');
  const againMs = endMs + chance.between(CORRECTS_AFTER_MS.least, CORRECTS_AFTER_MS.most);
  const correctionMs = 0.6 * lastsMs;
  made.push(turning(corrected, againMs, correctionMs));
  return { made, endMs: isSeenOn(corrected, step) ? againMs + correctionMs : null };
}

const isSeenOn = (direction: Direction, target: Target) => isOnTarget(direction, target, PAGE_STRICTER);

const turning = (direction: Direction, atMs: number, lastsMs: number): Movement => ({
  atMs,
  lastsMs,
  smile: 0,
  ...turnedTo(direction),
});

/** The pose that an answer moves to, as far as this person makes it. */
export function movementOf(asked: Asked, chance: Chance): Pick<Movement, 'yaw' | 'pitch' | 'smile'> {
  if (asked.prompt === 'target') return { ...turnedTo(aimedAt(asked, chance, 'blind')), smile: 0 };
  return { yaw: 0, pitch: 0, smile: asked.prompt === 'smile' ? chance.between(0.9, 1) : 0 };
}

/** What a script leaves out, as the script that was performed says it. */
export const wayOf = ({ way }: DrawnScript): Pick<Script, 'way'> => (way ? { way } : {});

/**
 * A script that nobody answers: each prompt is shown for this long, or for as long as it must be held. For footage that
 * knows nothing of it.
 */
export function unanswered(drawn: DrawnScript, stepMs: number): Script {
  let atMs = 0;
  return {
    steps: drawn.steps.map((step) => {
      const from_ms = Math.round(atMs);
      atMs += Math.max(stepMs, step.hold_ms);
      return performedStep(step, from_ms, Math.round(atMs));
    }),
    ...wayOf(drawn),
  };
}

/** Share of the head's sway that is gone while the nose is held at a dot, because the pointer shows it. */
const STEADIED = 0.7;

/** A person who makes these movements and is never quite still in between. */
export function alive(movements: readonly Movement[], chance: Chance): Performance {
  const sways = {
    yaw: sway(chance),
    pitch: sway(chance),
    roll: sway(chance),
    x: sway(chance),
    y: sway(chance),
  };
  const restlessness = chance.between(0.4, 2.5);
  const mouth = sway(chance, 0.5, 3);
  const blinks = blinkTimes(chance);
  return (timeMs) => {
    let [yaw, pitch, smile] = [0, 0, 0];
    for (const movement of movements) {
      const done = eased((timeMs - movement.atMs) / movement.lastsMs);
      yaw += done * (movement.yaw - yaw);
      pitch += done * (movement.pitch - pitch);
      smile += done * (movement.smile - smile);
    }
    const away = turnOf(directionOfPose({ yaw, pitch })) / AMOUNTS.near.least;
    const idle = restlessness * (1 - STEADIED * Math.min(1, away));
    return {
      ...AT_REST,
      yaw: yaw + idle * 0.02 * sways.yaw(timeMs),
      pitch: pitch + idle * 0.02 * sways.pitch(timeMs),
      roll: restlessness * 0.012 * sways.roll(timeMs),
      shiftX: restlessness * 0.04 * sways.x(timeMs) + 0.12 * yaw,
      shiftY: restlessness * 0.03 * sways.y(timeMs),
      smile,
      blink: blinks.reduce((most, atMs) => Math.max(most, 1 - Math.abs(timeMs - atMs) / 130), 0),
      jaw: restlessness * 0.012 * mouth(timeMs),
    };
  };
}

function blinkTimes(chance: Chance): number[] {
  const times: number[] = [];
  for (let atMs = chance.between(300, 4000); atMs < 30_000; atMs += chance.between(1500, 5500))
    times.push(atMs);
  return times;
}

/** Goes from 0 to 1 with a soft start and end, as limbs move (minimum jerk). */
export function eased(share: number): number {
  const t = Math.max(0, Math.min(1, share));
  return t * t * t * (10 - 15 * t + 6 * t * t);
}
