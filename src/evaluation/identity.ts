// Who is seen throughout the clip: faces between the portraits are recognised too, turned and smiling ones, so that
// nobody else can give the answers. Runs after the portraits are chosen and embedded.
import type { Recogniser } from '../models/packs/load-recogniser.ts';
import type { FaceObservation, ObservedFace } from './face/observation.ts';
import type { FrameFlaw } from './quality/frame-quality.ts';
import type { Selection } from './quality/select.ts';
import { averageEmbeddings, embed } from './recognition/embed.ts';
import { cosineSimilarity } from './recognition/vector.ts';
import type { Frame } from './video/frame.ts';

/** One recognised frame: its cosine to the mean of the portraits, −1 to 1. */
export interface IdentityMoment {
  readonly timeMs: number;
  readonly cosine: number;
  /** Whether the frame is good enough for a low cosine to mean another person: turned perhaps, but nothing else. */
  readonly isClear: boolean;
}

/** Every second judged frame: at 12 a second an answer that is held for a quarter of a second holds one or two. */
const EVERY = 2;
/**
 * Smaller faces and meshes that sit on no face say nothing: genuine ones fall to .34 there. Turned ones do: in profile
 * too genuine frames are at .39 and more (median .89), those of others at .40 and less (identity bench, 13 clips).
 */
const MIN_EYE_DISTANCE_PX = 30;
const MIN_PRESENCE = 0.9;
/** Flaws that a low cosine does not come from. In covered, blurred or dark frames genuine faces fall to .46 (dim clips). */
const HARMLESS: readonly FrameFlaw[] = ['turned', 'small'];

/**
 * Recognises every second frame whose face allows it, without its mirror image: that costs half, and moves the lowest
 * cosine of eleven genuine clips by .01 (identity bench). Frames, observations and
 * quality correspond; empty without portraits.
 */
export async function followIdentity(
  recogniser: Recogniser,
  frames: readonly Frame[],
  observations: readonly FaceObservation[],
  quality: Selection['quality'],
  portraits: readonly Float32Array[],
): Promise<IdentityMoment[]> {
  if (portraits.length === 0) return [];
  const mean = averageEmbeddings(portraits);
  const moments: IdentityMoment[] = [];
  for (let i = 0; i < observations.length; i += EVERY) {
    const { face, timeMs } = observations[i]!;
    if (!face || !isRecognisable(face)) continue;
    const embedding = await embed(recogniser, frames[i]!, face, { mirrorToo: false });
    const isClear = quality[i]?.flaws.every((flaw) => HARMLESS.includes(flaw)) ?? false;
    moments.push({ timeMs, cosine: cosineSimilarity(embedding, mean), isClear });
  }
  return moments;
}

/** Whether the face can be recognised at all. */
export function isRecognisable({ eyeDistancePx, presence }: ObservedFace): boolean {
  return eyeDistancePx >= MIN_EYE_DISTANCE_PX && presence >= MIN_PRESENCE;
}
