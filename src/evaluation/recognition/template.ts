// The biometric template of one face, as it is compared, sealed into a FeatureID and averaged.
import type { RegionName } from '../../contract/regions.ts';

/** A template. Templates of different packs cannot be compared. */
export interface FaceTemplate {
  /** Id of the recogniser pack that made it. */
  readonly packId: string;
  /** Global embedding, unit norm. */
  readonly embedding: Float32Array;
  /** Unit-norm descriptor of each region that could be seen. */
  readonly regions: Partial<Record<RegionName, Float32Array>>;
}
