// Two embeddings → comparison score 0–1 and comparison decision at the calibrated operating point.
import type { OperatingPoint } from './operating-point.ts';
import { cosineSimilarity } from './vector.ts';

export interface Comparison {
  readonly cosine: number;
  /** 0–1, monotone in likeness, 0.5 at the operating point. */
  readonly score: number;
  readonly match: boolean;
}

type Decision = Pick<OperatingPoint, 'thresholds' | 'scoreSlope'>;

/** Score 0–1 of a cosine: logistic, 0.5 at the threshold for `probeFrames`. */
export function comparisonScore(cosine: number, at: Decision, probeFrames = 1): number {
  return 1 / (1 + Math.exp(-at.scoreSlope * (cosine - thresholdFor(at, probeFrames))));
}

/** Compares a probe's embedding with a reference's of the same pack. */
export function compareEmbeddings(
  probe: Float32Array,
  reference: Float32Array | Int8Array,
  at: Decision,
  probeFrames = 1,
): Comparison {
  const cosine = cosineSimilarity(probe, reference);
  const score = comparisonScore(cosine, at, probeFrames);
  return { cosine, score, match: score >= 0.5 };
}

/** The threshold for a number of averaged probe frames: of the largest number calibrated that is not above it. */
export function thresholdFor({ thresholds }: Decision, probeFrames: number): number {
  const threshold = thresholds.findLast((entry) => entry.probeFrames <= probeFrames) ?? thresholds[0];
  if (!threshold) throw new RangeError('an operating point without a threshold');
  return threshold.cosine;
}
