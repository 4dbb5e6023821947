// Two sets of region descriptors → Pass or Fail per region that both have, read beside the whole face's decision.
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import type { RegionThresholds } from '../recognition/operating-point.ts';
import type { ReferenceTemplate } from '../recognition/template.ts';
import { cosineSimilarity } from '../recognition/vector.ts';

export type RegionDescriptors = Partial<Record<RegionName, Float32Array>>;

/**
 * Pass or Fail per region; a region missing on either side is left out, never failed. Beside a match a Fail says: less
 * alike than nearly all of one person's; beside none a Pass says: more alike than nearly all strangers'.
 */
export function compareRegions(
  probe: RegionDescriptors,
  reference: ReferenceTemplate['regions'],
  thresholds: RegionThresholds,
  match: boolean,
): Partial<Record<RegionName, 'Pass' | 'Fail'>> {
  const results: Partial<Record<RegionName, 'Pass' | 'Fail'>> = {};
  for (const name of REGION_NAMES) {
    const a = probe[name];
    const b = reference[name];
    if (!a || !b) continue;
    const { whenPassed, whenFailed } = thresholds[name];
    results[name] = cosineSimilarity(a, b) >= (match ? whenPassed : whenFailed) ? 'Pass' : 'Fail';
  }
  return results;
}
