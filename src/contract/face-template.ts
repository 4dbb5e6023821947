// What the evaluation room and the FeatureID room share: the first makes and compares templates, the second keeps them.
import type { RegionName } from './regions.ts';

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
