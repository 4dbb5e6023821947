// Two embeddings → comparison score 0–1 and comparison decision at the calibrated operating point.
import { cosineSimilarity } from './vector.ts';

/** What a calibration run fits; the one that ships is DEFAULT_CALIBRATION. */
export interface RecognitionCalibration {
  readonly packId: string;
  /** Population it was fitted on, and how, in words. */
  readonly population: string;
  /** Target false match rate of the operating point. */
  readonly targetFmr: number;
  /** Cosine at the operating point, by number of averaged probe frames, ascending; the last entry reached holds. */
  readonly thresholds: readonly { readonly probeFrames: number; readonly cosine: number }[];
  /** Steepness of the logistic that maps cosine to score, per unit of cosine. */
  readonly scoreSlope: number;
}

export interface Comparison {
  readonly cosine: number;
  /** 0–1, monotone in likeness, 0.5 at the operating point. */
  readonly score: number;
  readonly match: boolean;
}

/** Score 0–1 of a cosine: logistic, 0.5 at the threshold for `probeFrames`. */
export function comparisonScore(
  cosine: number,
  calibration: RecognitionCalibration,
  probeFrames = 1,
): number {
  const excess = cosine - thresholdFor(calibration, probeFrames);
  return 1 / (1 + Math.exp(-calibration.scoreSlope * excess));
}

/** Compares a probe's embedding with a reference's of the same pack. */
export function compareEmbeddings(
  probe: Float32Array,
  reference: Float32Array,
  calibration: RecognitionCalibration,
  probeFrames = 1,
): Comparison {
  const cosine = cosineSimilarity(probe, reference);
  const score = comparisonScore(cosine, calibration, probeFrames);
  return { cosine, score, match: score >= 0.5 };
}

function thresholdFor(calibration: RecognitionCalibration, probeFrames: number): number {
  const reached = calibration.thresholds.filter((entry) => entry.probeFrames <= probeFrames);
  const threshold = reached.at(-1) ?? calibration.thresholds[0];
  if (!threshold) throw new RangeError('a calibration without a threshold');
  return threshold.cosine;
}
