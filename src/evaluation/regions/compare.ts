// Two sets of region descriptors → Pass or Fail per region that both have.
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import type { RegionThresholds } from '../recognition/operating-point.ts';
import type { ReferenceTemplate } from '../recognition/template.ts';
import { cosineSimilarity } from '../recognition/vector.ts';

export type RegionDescriptors = Partial<Record<RegionName, Float32Array>>;

/** Pass or Fail per region; a region missing on either side is left out, never failed. */
export function compareRegions(
  probe: RegionDescriptors,
  reference: ReferenceTemplate['regions'],
  thresholds: RegionThresholds,
): Partial<Record<RegionName, 'Pass' | 'Fail'>> {
  const results: Partial<Record<RegionName, 'Pass' | 'Fail'>> = {};
  for (const name of REGION_NAMES) {
    const a = probe[name];
    const b = reference[name];
    if (!a || !b) continue;
    results[name] = cosineSimilarity(a, b) >= thresholds[name] ? 'Pass' : 'Fail';
  }
  return results;
}
