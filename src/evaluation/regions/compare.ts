// Two sets of region descriptors → Pass or Fail per region that both have (spec.md 2.4).
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import { cosineSimilarity } from '../recognition/vector.ts';

/** Per-region thresholds and where they came from; the one that ships is DEFAULT_REGION_CALIBRATION. */
export interface RegionCalibration {
  readonly population: string;
  /** False match rate per region at which the thresholds were fitted. */
  readonly targetFmr: number;
  /** Least cosine that passes. */
  readonly thresholds: Readonly<Record<RegionName, number>>;
}

export type RegionDescriptors = Partial<Record<RegionName, Float32Array>>;

/** Pass or Fail per region; a region missing on either side is left out, never failed. */
export function compareRegions(
  probe: RegionDescriptors,
  reference: RegionDescriptors,
  calibration: RegionCalibration,
): Partial<Record<RegionName, 'Pass' | 'Fail'>> {
  const results: Partial<Record<RegionName, 'Pass' | 'Fail'>> = {};
  for (const name of REGION_NAMES) {
    const a = probe[name];
    const b = reference[name];
    if (!a || !b) continue;
    results[name] = cosineSimilarity(a, b) >= calibration.thresholds[name] ? 'Pass' : 'Fail';
  }
  return results;
}
