// Who is seen throughout the clip: faces between the portraits are recognised too, including turned and smiling ones,
// so that nobody else can give the answers. They are embedded as they arrive, and compared once the portraits are
// chosen.
import type { Recogniser } from '../models/packs/load-recogniser.ts';
import type { FaceObservation, ObservedFace } from './face/observation.ts';
import type { FrameFlaw, FrameQuality } from './quality/frame-quality.ts';
import type { AssessedFrame } from './quality/select.ts';
import { averageEmbeddings, embed } from './recognition/embed.ts';
import { cosineSimilarity } from './recognition/vector.ts';
import type { Frame } from './video/frame.ts';

/** One recognised frame: its cosine to the mean of the portraits, −1 to 1. */
export interface IdentityMoment {
  readonly timeMs: number;
  readonly cosine: number;
  /** Whether a low cosine means another person: the frame may be turned, small or lit from behind, but has no other flaw. */
  readonly isClear: boolean;
}

/** Every second judged frame: at 12 per second, an answer held for a quarter of a second contains one or two. */
const EVERY = 2;
/**
 * Smaller faces, and meshes that do not sit on a face, prove nothing: genuine ones fall to 0.34 there. Turned faces do:
 * even in profile, genuine frames are at 0.39 and more (median 0.89), those of others at 0.40 and less (identity bench,
 * 13 clips).
 */
const MIN_EYE_DISTANCE_PX = 30;
const MIN_PRESENCE = 0.9;
/**
 * Flaws that do not cause a low cosine. In covered, blurred or dark frames genuine faces fall to 0.46 (dim clips); lit
 * from behind they are at 0.84 and more.
 */
const HARMLESS: readonly FrameFlaw[] = ['turned', 'small', 'backlit'];

/**
 * Embedding of the frame at `index` if it is one of every second and its face is recognisable, else null. The mirror
 * image is left out, which halves the cost and moves the lowest cosine of eleven genuine clips by 0.01 (identity
 * bench).
 */
export async function recognise(
  recogniser: Recogniser,
  index: number,
  frame: Frame,
  { face }: FaceObservation,
): Promise<Float32Array | null> {
  if (index % EVERY !== 0 || !face || !isRecognisable(face)) return null;
  return embed(recogniser, frame, face, { mirrorToo: false });
}

/** A frame and its embedding, if it was recognised. */
export interface RecognisedFrame extends AssessedFrame {
  readonly embedding: Float32Array | null;
}

/** Compares recognised frames with the portraits' embeddings; empty without portraits. */
export function followIdentity(
  frames: readonly RecognisedFrame[],
  portraits: readonly Float32Array[],
): IdentityMoment[] {
  if (portraits.length === 0) return [];
  const mean = averageEmbeddings(portraits);
  return frames.flatMap(({ observation: { timeMs }, embedding, quality }) => {
    if (!embedding) return [];
    return [{ timeMs, cosine: cosineSimilarity(embedding, mean), isClear: isClear(quality) }];
  });
}

/** Whether another person's face would be seen as such. */
export function isClear(quality: FrameQuality | null): boolean {
  return quality?.flaws.every((flaw) => HARMLESS.includes(flaw)) ?? false;
}

/** Whether the face can be recognised at all. */
export function isRecognisable({ eyeDistancePx, presence }: ObservedFace): boolean {
  return eyeDistancePx >= MIN_EYE_DISTANCE_PX && presence >= MIN_PRESENCE;
}
