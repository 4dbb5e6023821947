// What the evaluation room and the FeatureID room share: the first makes and compares templates, the second keeps them.
import type { RegionName } from './regions.ts';

/** What a capture adds to a FeatureID that it renews: its embedding, as computed or in int8 with its norm not taken out. */
export interface CaptureEmbedding {
  readonly embedding: Float32Array | Int8Array;
  /** Frames averaged into it; null: unknown. */
  readonly frames: number | null;
}

/** The biometric template of one face. Templates of different packs cannot be compared. */
export interface FaceTemplate {
  /** Id of the recogniser pack that made it. */
  readonly packId: string;
  /** Global embedding, unit norm. */
  readonly embedding: Float32Array;
  /** Unit-norm descriptor of each region that could be seen. */
  readonly regions: Partial<Record<RegionName, Float32Array>>;
  /** Frames averaged into the embedding, which the threshold depends on; null: unknown (a FeatureID of layout 1). */
  readonly frames: number | null;
}
