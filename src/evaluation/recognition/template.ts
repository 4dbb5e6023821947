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

/** A reference: a template as computed, or in int8 as a FeatureID keeps it, norms not taken out. */
export interface ReferenceTemplate {
  readonly packId: string;
  readonly embedding: Float32Array | Int8Array;
  readonly regions: Partial<Record<RegionName, Float32Array | Int8Array>>;
}
