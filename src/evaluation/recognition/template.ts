// Templates as the evaluation compares them: as computed, or as a FeatureID stores them.
import type { FaceTemplate } from '../../contract/face-template.ts';
import type { RegionName } from '../../contract/regions.ts';

export type { FaceTemplate };

/** A reference: a template as computed, or in int8 as a FeatureID stores it, without unit norm. */
export interface ReferenceTemplate {
  readonly packId: string;
  readonly embedding: Float32Array | Int8Array;
  readonly regions: Partial<Record<RegionName, Float32Array | Int8Array>>;
  /** Frames averaged into the embedding; null if unknown. */
  readonly frames: number | null;
}
