// Two sets of region descriptors → Pass or Fail per region that both have.
import type { RegionName } from '../../contract/regions.ts';

/** Per-region thresholds and where they came from; see default-calibration.ts. */
export interface RegionCalibration {
  readonly population: string;
  /** False match rate per region at which the thresholds were fitted. */
  readonly targetFmr: number;
  readonly thresholds: Readonly<Record<RegionName, number>>;
}

export type RegionDescriptors = Partial<Record<RegionName, Float32Array>>;

/** Pass or Fail per region; regions missing on either side are left out. */
export function compareRegions(
  _probe: RegionDescriptors,
  _reference: RegionDescriptors,
  _calibration: RegionCalibration,
): Partial<Record<RegionName, 'Pass' | 'Fail'>> {
  throw new Error('not built yet');
}
