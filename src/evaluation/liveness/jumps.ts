// Finds where the face's shape changes more in one step between frames than in the neighbouring steps.
import type { FaceObservation } from '../face/observation.ts';
import { shapeChange } from './shape-change.ts';

/** One step between two neighbouring frames with a face. */
export interface Step {
  readonly fromMs: number;
  readonly toMs: number;
  /** Its shape change divided by the largest within NEIGHBOURS steps. */
  readonly jump: number;
}

/** Frames further apart than this may differ legitimately. Chosen, not measured. */
const MAX_STEP_MS = 180;
/** Steps on each side with which a step is compared. Chosen, not measured. */
const NEIGHBOURS = 4;
/** The mesh network's own noise, in eye distances; it keeps two tiny steps from counting as a jump. */
const NOISE = 0.005;
/**
 * Above this, the step is a cut. A photograph swapped for another 3.3–7.8; genuine clips ≤ 2.9, single smiles at 12
 * frames per second ≤ 2.5, because a real mouth takes several frames (smile bench).
 */
export const MAX_JUMP = 3;

/** Every step of the clip. */
export function stepsOfShape(observations: readonly FaceObservation[]): Step[] {
  const changes: { fromMs: number; toMs: number; change: number }[] = [];
  for (const [i, { face, timeMs }] of observations.entries()) {
    const before = observations[i - 1];
    if (!face || !before?.face || timeMs - before.timeMs > MAX_STEP_MS) continue;
    const change = shapeChange(before.face.landmarks, face.landmarks, face.eyeDistancePx);
    changes.push({ fromMs: before.timeMs, toMs: timeMs, change });
  }
  return changes.map(({ fromMs, toMs, change }, i) => {
    const beside = [
      ...changes.slice(Math.max(0, i - NEIGHBOURS), i),
      ...changes.slice(i + 1, i + 1 + NEIGHBOURS),
    ];
    const largest = Math.max(0, ...beside.map((step) => step.change));
    return { fromMs, toMs, jump: change / (largest + NOISE) };
  });
}
