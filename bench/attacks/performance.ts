// What a person does in front of the camera: answers a script in human time, and is never quite still in between.
import { PATH, type Path, pathAt } from '../../src/contract/path.ts';
import type { DrawnScript, Prompt, Script } from '../../src/contract/script.ts';
import { performedStep } from '../../src/contract/script-steps.ts';
import { sway } from './camera.ts';
import { AT_REST, type Pose } from './head.ts';
import type { Chance } from './random.ts';

/**
 * Human times. Simple reactions to a displayed word take 0.25–0.5 s, those of slow people 1 s and more; turns are
 * 17–34° at ordinary pace. Each person has their own mean delay and varies around it.
 */
const DELAY_MS = { least: 250, most: 900 };
const DELAY_VARIES = 0.25;
const MOVE_MS = { least: 280, most: 600 };
const TURN_RADIANS = { least: 0.3, most: 0.6 };
/** Time that the page needs to see an answer: a frame at 10 Hz, and the detector's own time. */
const GUIDANCE_LAG_MS = { least: 80, most: 250 };
/** Time after which a person at rest is seen to be at rest. */
const REST_MS = 200;

/** One movement: the pose that head and mouth move to, when, and how long it takes. */
export interface Movement {
  readonly atMs: number;
  readonly lastsMs: number;
  readonly yaw: number;
  readonly smile: number;
}

/** A performance: the pose at each time. */
export type Performance = (timeMs: number) => Pose;

/** A person's manner of answering. */
export interface Manner {
  /** Mean time from a prompt to the start of the movement. */
  readonly delayMs?: number;
  /** Prompts that are left out. */
  readonly leavesOut?: (prompt: Prompt) => boolean;
}

/**
 * The script as this person performs it for a page that waits for each answer, and the performance itself: the page
 * shows the next prompt once it has seen the answer held.
 */
export function live(
  drawn: DrawnScript,
  chance: Chance,
  { delayMs = chance.between(DELAY_MS.least, DELAY_MS.most), leavesOut = () => false }: Manner = {},
): { script: Script; performance: Performance } {
  const movements: Movement[] = [];
  const steps: Script['steps'] = [];
  const follows: Follows[] = [];
  let fromMs = 0;
  for (const step of drawn.steps) {
    const { prompt, hold_ms } = step;
    if (prompt === PATH) {
      steps.push(performedStep(step, fromMs, fromMs + hold_ms));
      follows.push(following(step.path, fromMs, delayMs, chance));
      fromMs += hold_ms;
      continue;
    }
    const answered = !leavesOut(prompt);
    const first = steps.length === 0;
    const atMs = fromMs + (first ? 0 : delayMs * chance.between(1 - DELAY_VARIES, 1 + DELAY_VARIES));
    const lastsMs = first ? REST_MS : chance.between(MOVE_MS.least, MOVE_MS.most);
    if (answered && !first) movements.push({ atMs, lastsMs, ...movementOf(prompt, chance) });
    const seenMs = atMs + lastsMs + chance.between(GUIDANCE_LAG_MS.least, GUIDANCE_LAG_MS.most);
    const toMs = Math.round(
      answered ? Math.min(seenMs + hold_ms, fromMs + drawn.max_step_ms) : fromMs + drawn.max_step_ms,
    );
    steps.push(performedStep(step, fromMs, toMs));
    fromMs = toMs;
  }
  return { script: { steps, ...wayOf(drawn) }, performance: alive(movements, chance, follows) };
}

/** Where the head points while it follows a mark, in radians to the person's own left and up. */
type Follows = (timeMs: number) => { yaw: number; pitch: number };

/**
 * How far a head turns towards a mark at the rim: people also use their eyes, and nod less than they turn. Neither this
 * nor how smoothly they follow was measured on people; both ranges are wide.
 */
const FOLLOW_YAW = { least: 0.18, most: 0.42 };
const FOLLOW_PITCH = { least: 0.12, most: 0.32 };
const FOLLOW_SMOOTH_MS = { least: 80, most: 300 };
const FOLLOW_DELAY_VARIES_MS = 60;

/** A head that follows a mark smoothly, with a varying delay, and looks ahead again when the mark is gone. */
function following(path: Path, fromMs: number, delayMs: number, chance: Chance): Follows {
  const yaw = chance.between(FOLLOW_YAW.least, FOLLOW_YAW.most);
  const pitch = chance.between(FOLLOW_PITCH.least, FOLLOW_PITCH.most);
  const smoothMs = chance.between(FOLLOW_SMOOTH_MS.least, FOLLOW_SMOOTH_MS.most);
  const late = sway(chance, 0.2, 0.8);
  const slant = chance.between(-0.15, 0.15);
  const endMs = fromMs + path.at(-1)!.at_ms + delayMs;
  return (timeMs) => {
    const atMs = timeMs - fromMs - delayMs - FOLLOW_DELAY_VARIES_MS * late(timeMs);
    // Muscles smooth the movement: take the mean of the mark's positions around that time.
    const places = [-0.5, -0.25, 0, 0.25, 0.5].map((share) => pathAt(path, atMs + share * smoothMs));
    const x = places.reduce((sum, place) => sum + place.x, 0) / places.length / 100;
    const y = places.reduce((sum, place) => sum + place.y, 0) / places.length / 100;
    const left = 1 - eased((timeMs - endMs) / BACK_MS);
    return { yaw: left * yaw * (x + slant * y), pitch: left * pitch * (y - slant * x) };
  };
}

/** Time from the mark's end until the head looks ahead again. */
const BACK_MS = 500;

/** Target of each prompt's movement: the side of the turn, and whether it smiles. */
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
      atMs += step.prompt === PATH ? step.hold_ms : Math.max(stepMs, step.hold_ms);
      return performedStep(step, from_ms, Math.round(atMs));
    }),
    ...wayOf(drawn),
  };
}

/** A person who makes these movements, follows these marks and is never quite still in between. */
export function alive(
  movements: readonly Movement[],
  chance: Chance,
  follows: readonly Follows[] = [],
): Performance {
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
    let yaw = 0;
    let smile = 0;
    for (const movement of movements) {
      const done = eased((timeMs - movement.atMs) / movement.lastsMs);
      yaw += done * (movement.yaw - yaw);
      smile += done * (movement.smile - smile);
    }
    let pitch = 0;
    for (const at of follows) {
      const head = at(timeMs);
      yaw += head.yaw;
      pitch += head.pitch;
    }
    return {
      ...AT_REST,
      yaw: yaw + restlessness * 0.02 * sways.yaw(timeMs),
      pitch: pitch + restlessness * 0.02 * sways.pitch(timeMs),
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
