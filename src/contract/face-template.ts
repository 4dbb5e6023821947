// What src/evaluation and src/featid share: the first makes and compares templates, the second stores them.
import type { RegionName } from './regions.ts';

/** The biometric template of one face. Templates of different packs cannot be compared. */
export interface FaceTemplate {
  /** Id of the recogniser pack that made it. */
  readonly packId: string;
  /** Global embedding, unit norm. */
  readonly embedding: Float32Array;
  /** Unit-norm descriptor of each visible region. */
  readonly regions: Partial<Record<RegionName, Float32Array>>;
  /** Frames averaged into the embedding; the threshold depends on it. Null: unknown. */
  readonly frames: number | null;
}
