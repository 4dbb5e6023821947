// Two embeddings → comparison score 0–1 and comparison decision at the calibrated operating point.

/** What `bench recognition` fits; see default-calibration.ts. */
export interface RecognitionCalibration {
  readonly packId: string;
  /** Population it was fitted on, in words. */
  readonly population: string;
  /** Target false match rate of the operating point. */
  readonly targetFmr: number;
  /** Cosine at the operating point, by number of averaged probe frames; the largest entry ≤ the number used holds. */
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

/** Cosine of two unit-norm vectors of one length. */
export function cosineSimilarity(_a: Float32Array, _b: Float32Array): number {
  throw new Error('not built yet');
}

/** Score 0–1 of a cosine, 0.5 at the threshold for `probeFrames`. */
export function comparisonScore(
  _cosine: number,
  _calibration: RecognitionCalibration,
  _probeFrames = 1,
): number {
  throw new Error('not built yet');
}

/** Scores and decides. */
export function compareEmbeddings(
  _probe: Float32Array,
  _reference: Float32Array,
  _calibration: RecognitionCalibration,
  _probeFrames = 1,
): Comparison {
  throw new Error('not built yet');
}
