// Chooses the frames that stand for the clip: the best portrait of each stretch, and the best of all.
import type { FaceObservation, ObservedFace } from '../face/observation.ts';
import type { Frame } from '../video/frame.ts';
import { measurePixels, type PixelQuality } from './pixels.ts';
import { isFrontal, portraitScore } from './pose.ts';

/** A frame with a face, measured. */
export interface Portrait extends PixelQuality {
  readonly frame: Frame;
  readonly face: ObservedFace;
  readonly score: number;
}

export interface Selection {
  /** At most one of each stretch of the clip, in time order: together they span it from first to last. */
  readonly portraits: readonly Portrait[];
  /** The best of them; null when no face looks ahead. */
  readonly best: Portrait | null;
}

/** Frames of a stretch whose pixels are measured; the pose decides which. */
const MEASURED_PER_STRETCH = 2;
/** How far sharpness may lift a portrait over one with a better pose: it ranges from .07 (blurred) to .33. */
const SHARPNESS_WEIGHT = 0.5;

/** Chooses at most `count` portraits, one from each of `count` equal stretches. Frames and observations correspond. */
export function selectPortraits(
  frames: readonly Frame[],
  observations: readonly FaceObservation[],
  count: number,
): Selection {
  const lastMs = observations.at(-1)?.timeMs ?? 0;
  const stretches: { frame: Frame; face: ObservedFace; score: number }[][] = [];
  for (const [i, { face, timeMs }] of observations.entries()) {
    const frame = frames[i];
    if (!face || !frame || !isFrontal(face)) continue;
    const stretch = Math.min(count - 1, Math.floor((timeMs / (lastMs + 1)) * count));
    stretches[stretch] ??= [];
    stretches[stretch].push({ frame, face, score: portraitScore(face) });
  }
  const portraits = stretches.flatMap((stretch) => bestOf(stretch) ?? []);
  return { portraits, best: portraits.toSorted((a, b) => b.score - a.score)[0] ?? null };
}

function bestOf(stretch: { frame: Frame; face: ObservedFace; score: number }[]): Portrait | undefined {
  return stretch
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MEASURED_PER_STRETCH)
    .map(({ frame, face, score }) => {
      const pixels = measurePixels(frame, face);
      return { frame, face, ...pixels, score: score + SHARPNESS_WEIGHT * pixels.sharpness };
    })
    .toSorted((a, b) => b.score - a.score)[0];
}
