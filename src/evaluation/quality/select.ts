// Chooses the frames that represent the clip by their quality: the best portrait of each stretch, and the best of all.
import { Fault } from '../../base/errors.ts';
import type { FaceObservation, ObservedFace } from '../face/observation.ts';
import type { ReasonCode } from '../reasons.ts';
import type { Frame } from '../video/frame.ts';
import type { FrameQuality } from './frame-quality.ts';
import { isFrontal, portraitScore } from './pose.ts';

/** A frame with a face, measured. */
export interface Portrait extends FrameQuality {
  readonly frame: Frame;
  readonly face: ObservedFace;
  readonly score: number;
}

export interface Selection {
  /** At most one of each stretch of the clip, in time order: together they span it from first to last. */
  readonly portraits: readonly Portrait[];
  /** The best of them; null if there is none. */
  readonly best: Portrait | null;
  /** Why there is none. */
  readonly missing: ReasonCode | null;
  /** The record of each frame, null without a face; its indices match those of frames and observations. */
  readonly quality: readonly (FrameQuality | null)[];
}

/** How far sharpness may lift a portrait over one with a better pose; it ranges from 0.07 (blurred) to 0.33. */
const SHARPNESS_WEIGHT = 0.5;
/**
 * A flawless frame wins over a flawed one whatever their poses: pose scores of frontal faces lie within 0.8 of each
 * other.
 */
const FLAW_COST = 1;

/** A frame that may become a portrait. */
export interface AssessedFrame {
  /** Null if it was released because it cannot become a portrait (candidates.ts). */
  readonly frame: Frame | null;
  readonly observation: FaceObservation;
  /** Null without a face. */
  readonly quality: FrameQuality | null;
}

/**
 * Chooses at most `count` portraits, one from each of `count` equal stretches of the frames.
 * @throws Fault INVARIANT if the frame of a portrait was released
 */
export function selectPortraits(frames: readonly AssessedFrame[], count: number): Selection {
  const lastMs = frames.at(-1)?.observation.timeMs ?? 0;
  const best: (Scored | undefined)[] = [];
  for (const assessed of frames) {
    const score = scoreOf(assessed);
    if (score === null) continue;
    const stretch = Math.min(count - 1, Math.floor((assessed.observation.timeMs / (lastMs + 1)) * count));
    if (score > (best[stretch]?.score ?? Number.NEGATIVE_INFINITY)) best[stretch] = { assessed, score };
  }
  const quality = frames.map((each) => each.quality);
  const portraits = best.flatMap((scored) => (scored ? [portraitOf(scored)] : []));
  const [first = null] = portraits.toSorted((a, b) => b.score - a.score);
  return { portraits, best: first, missing: first ? null : whyNone(quality), quality };
}

function whyNone(quality: readonly (FrameQuality | null)[]): ReasonCode {
  const faces = quality.filter((measured) => measured !== null);
  if (faces.length === 0) return 'face_missing';
  return faces.every(({ flaws }) => flaws.includes('too_small')) ? 'too_far' : 'not_frontal';
}

interface Scored {
  readonly assessed: AssessedFrame;
  readonly score: number;
}

function portraitOf({ assessed: { frame, observation, quality }, score }: Scored): Portrait {
  const { face } = observation;
  if (!frame || !face || !quality) throw new Fault('INVARIANT', 'the frame of a portrait was let go');
  return { frame, face, ...quality, score };
}

/**
 * Score of a frame as a portrait; higher for a face in front, eyes open, neutral, sharp, evenly lit, without flaws.
 * Null if it cannot be a portrait.
 */
export function scoreOf({ observation: { face }, quality }: Omit<AssessedFrame, 'frame'>): number | null {
  if (!face || !quality || !isFrontal(face) || quality.flaws.includes('too_small')) return null;
  const { sharpness, unevenness, flaws } = quality;
  return portraitScore(face) + SHARPNESS_WEIGHT * sharpness - unevenness - FLAW_COST * flaws.length;
}
