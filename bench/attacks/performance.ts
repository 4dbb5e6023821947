// What a person does before the camera: answers to a script in human time, and never quite still in between.
import type { Script, ScriptStep } from '../../src/contract/script.ts';
import { unrest } from './camera.ts';
import { AT_REST, type Pose } from './head.ts';
import type { Chance } from './random.ts';

/**
 * Human times. Simple reactions to a shown word take .25–.5 s; the issue allows .2–1.5 s, and what is drawn here spans
 * most of it. Turns of 17–34° at ordinary pace.
 */
const REACTION_MS = { least: 250, most: 800 };
const MOVE_MS = { least: 280, most: 600 };
const TURN_RADIANS = { least: 0.3, most: 0.6 };

interface Movement {
  readonly atMs: number;
  readonly lastsMs: number;
  readonly yaw: number;
  readonly smile: number;
}

/** A performance: the pose at each time. */
export type Performance = (timeMs: number) => Pose;

/** Answers each step of the script after its own reaction time. `answers` may leave prompts out. */
export function perform(
  script: Script,
  chance: Chance,
  answers: (step: ScriptStep) => boolean = () => true,
): Performance {
  const movements: Movement[] = [];
  for (const step of script.steps.slice(1)) {
    if (!answers(step)) continue;
    const turn = chance.between(TURN_RADIANS.least, TURN_RADIANS.most);
    movements.push({
      atMs: step.from_ms + chance.between(REACTION_MS.least, REACTION_MS.most),
      lastsMs: chance.between(MOVE_MS.least, MOVE_MS.most),
      yaw: step.prompt === 'turn_left' ? turn : step.prompt === 'turn_right' ? -turn : 0,
      smile: step.prompt === 'smile' ? chance.between(0.9, 1) : 0,
    });
  }
  return alive(movements, chance);
}

function alive(movements: readonly Movement[], chance: Chance): Performance {
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
