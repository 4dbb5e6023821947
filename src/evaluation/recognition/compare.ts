// Two embeddings → comparison score 0–1 and comparison decision at the calibrated operating point.
import type { OperatingPoint } from './operating-point.ts';
import type { FaceTemplate, ReferenceTemplate } from './template.ts';
import { thresholdFor } from './thresholds.ts';
import { cosineSimilarity } from './vector.ts';

export interface Comparison {
  readonly cosine: number;
  /** 0–1, monotone in likeness, 0.5 at the operating point. */
  readonly score: number;
  readonly match: boolean;
}

type Decision = Pick<OperatingPoint, 'thresholds' | 'scoreSlope'>;

/** Score 0–1 of a cosine: logistic, 0.5 at the threshold. */
export function comparisonScore(cosine: number, threshold: number, scoreSlope: number): number {
  return 1 / (1 + Math.exp(-scoreSlope * (cosine - threshold)));
}

/**
 * Compares a probe's embedding with a reference's of the same pack, at the threshold for the frames averaged into each.
 */
export function compareEmbeddings(
  probe: Pick<FaceTemplate, 'embedding' | 'frames'>,
  reference: Pick<ReferenceTemplate, 'embedding' | 'frames'>,
  at: Decision,
): Comparison {
  const cosine = cosineSimilarity(probe.embedding, reference.embedding);
  const threshold = thresholdFor(at, probe.frames, reference.frames);
  const score = comparisonScore(cosine, threshold, at.scoreSlope);
  return { cosine, score, match: score >= 0.5 };
}
