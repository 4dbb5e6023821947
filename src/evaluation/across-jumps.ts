// Whether the face on both sides of a jump is one person's: who takes another's place changes the face's shape at once,
// and may never look ahead again, so that no portrait shows it.
import type { Recogniser } from '../models/packs/load-recogniser.ts';
import type { FaceObservation } from './face/observation.ts';
import { stepsOfShape } from './liveness/jumps.ts';
import { MIN_TEMPLATE_EYE_DISTANCE_PX } from './quality/pose.ts';
import { embed } from './recognition/embed.ts';
import { cosineSimilarity } from './recognition/vector.ts';
import type { Frame } from './video/frame.ts';

/** The two largest: the change of person was the largest in 7 of 8 rendered swaps; portraits told of the eighth. */
const JUMPS = 2;
/** Below this a step is no larger than its neighbours, as in any movement. */
const MIN_JUMP = 1.2;
/** How many frames further away the face is read again when it differs: a mesh that slipped once is no other person. */
const FURTHER = 2;

/**
 * Cosine across each of the clip's largest jumps, by the pack's network. In swaps −.08 to .20, in genuine footage .81 and
 * more (8 rendered swaps, 17 genuine clips, `bench:pad`). Below `enough` the faces two frames further away are compared
 * as well, and the best of the two counts. Frames and observations correspond.
 */
export async function cosinesAcrossJumps(
  recogniser: Recogniser,
  frames: readonly Frame[],
  observations: readonly FaceObservation[],
  enough: number,
): Promise<number[]> {
  const largest = stepsOfShape(observations)
    .filter(({ jump }) => jump >= MIN_JUMP)
    .toSorted((a, b) => b.jump - a.jump)
    .slice(0, JUMPS);
  const cosineOf = async (before: number, after: number): Promise<number | null> => {
    const [from, to] = [observations[before]?.face, observations[after]?.face];
    if (!from || !to || Math.min(from.eyeDistancePx, to.eyeDistancePx) < MIN_TEMPLATE_EYE_DISTANCE_PX)
      return null;
    return cosineSimilarity(
      await embed(recogniser, frames[before]!, from),
      await embed(recogniser, frames[after]!, to),
    );
  };
  const cosines: number[] = [];
  for (const { fromMs } of largest) {
    const before = observations.findIndex(({ timeMs }) => timeMs === fromMs);
    const near = await cosineOf(before, before + 1);
    if (near === null) continue;
    const far = near < enough ? await cosineOf(before - FURTHER, before + 1 + FURTHER) : null;
    cosines.push(Math.max(near, far ?? near));
  }
  return cosines;
}
