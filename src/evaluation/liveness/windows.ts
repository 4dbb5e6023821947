// The script laid over the observations: which frames belong to which prompt, and the person's own neutral face.
import type { Prompt, Script, ScriptStep } from '../../contract/script.ts';
import type { FaceObservation, ObservedFace } from '../face/observation.ts';
import { median } from './statistics.ts';

/** A frame with a face. */
export interface Seen {
  readonly timeMs: number;
  readonly face: ObservedFace;
}

/** Below this happiness a face counts as neutral; at rest it measures under .2. */
const MAX_NEUTRAL_HAPPY = 0.5;
/** Looking ahead: less than what counts as a turn (responses.ts). */
const MAX_NEUTRAL_YAW = 0.35;
/** A neutral prompt after another prompt takes a moment to be followed. */
const SETTLING_MS = 1000;

export function seenFaces(observations: readonly FaceObservation[]): Seen[] {
  return observations.flatMap(({ timeMs, face }) => (face ? [{ timeMs, face }] : []));
}

/** The script's steps with this prompt. */
export function stepsOf(script: Script, ...prompts: Prompt[]): ScriptStep[] {
  return script.steps.filter(({ prompt }) => prompts.includes(prompt));
}

export function inStep(seen: readonly Seen[], step: ScriptStep): Seen[] {
  return seen.filter(({ timeMs }) => timeMs >= step.from_ms && timeMs < step.to_ms);
}

/** What the person's face at rest measures. */
export interface Neutral {
  readonly mouthWidth: number;
  readonly yaw: number;
  /** Share of the frames in neutral steps that were neutral. */
  readonly share: number;
}

/** Read from the script's neutral steps; null when no frame in them is neutral. */
export function ownNeutral(seen: readonly Seen[], script: Script): Neutral | null {
  const asked = stepsOf(script, 'neutral').flatMap((step, i) => {
    const settled = i === 0 ? step.from_ms : Math.min(step.from_ms + SETTLING_MS, step.to_ms);
    return inStep(seen, { ...step, from_ms: settled });
  });
  const calm = asked.filter(
    ({ face }) => face.happy < MAX_NEUTRAL_HAPPY && Math.abs(face.yaw) < MAX_NEUTRAL_YAW,
  );
  if (calm.length === 0) return null;
  return {
    mouthWidth: median(calm.map(({ face }) => face.mouthWidth)),
    yaw: median(calm.map(({ face }) => face.yaw)),
    share: calm.length / asked.length,
  };
}

/** A run of frames that follow a prompt. */
export interface Response {
  /** When the movement towards it began. */
  readonly beganMs: number;
  /** First frame of the run, which may lie before the prompt. */
  readonly onsetMs: number;
  readonly frames: number;
}

/**
 * Nobody takes an answer back before having seen the next prompt: what is held in this time after the step still
 * answers it (a human's shortest reaction, and half of the way back).
 */
export const AFTERMATH_MS = 400;
/** Strength from which a face is on its way to an answer. */
const UNDER_WAY = 0.35;
/** A movement of head or mouth takes .2–.6 s; what is older is something else. */
const MAX_MOVEMENT_MS = 800;

/**
 * The longest run of frames in the step whose `strength` is 1 or more, with its true beginning.
 * @param strength 0 is the own neutral face, 1 what the prompt asks for
 */
export function longestResponse(
  seen: readonly Seen[],
  step: ScriptStep,
  strength: (face: ObservedFace) => number,
): Response | null {
  let longest: Response | null = null;
  let onset: number | null = null;
  let frames = 0;
  for (const [i, { timeMs, face }] of seen.entries()) {
    if (timeMs >= step.to_ms + AFTERMATH_MS) break;
    if (strength(face) < 1) {
      onset = null;
      frames = 0;
      continue;
    }
    onset ??= i;
    if (timeMs >= step.from_ms) frames++;
    if (frames <= (longest?.frames ?? 0)) continue;
    longest = { beganMs: beginningOf(seen, onset, strength), onsetMs: seen[onset]!.timeMs, frames };
  }
  return longest;
}

/** Back from the onset to the first frame that was on its way. */
function beginningOf(seen: readonly Seen[], onset: number, strength: (face: ObservedFace) => number): number {
  const { timeMs } = seen[onset]!;
  let first = onset;
  while (
    first > 0 &&
    strength(seen[first - 1]!.face) >= UNDER_WAY &&
    timeMs - seen[first - 1]!.timeMs <= MAX_MOVEMENT_MS
  )
    first--;
  return seen[first]!.timeMs;
}
