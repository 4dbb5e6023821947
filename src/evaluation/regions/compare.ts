// Two sets of region descriptors → Pass or Fail per region that both have, read beside the whole face's decision.
import { REGION_NAMES, type RegionName, type RegionStrengths } from '../../contract/regions.ts';
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
  const entries = bothSeen(probe, reference).map(({ name, cosine }) => {
    const { whenPassed, whenFailed } = thresholds[name];
    return [name, cosine >= (match ? whenPassed : whenFailed) ? 'Pass' : 'Fail'] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * How alike the regions are that both have, to two decimals: 0 at the cosine that 5 % of genuine pairs miss, 1 at the one
 * that 5 % of strangers reach.
 */
export function regionStrengths(
  probe: RegionDescriptors,
  reference: ReferenceTemplate['regions'],
  thresholds: RegionThresholds,
): RegionStrengths {
  const entries = bothSeen(probe, reference).map(({ name, cosine }) => {
    const { whenPassed, whenFailed } = thresholds[name];
    // A calibration may hold both alike: a step then.
    const span = Math.max(whenFailed - whenPassed, Number.EPSILON);
    const share = Math.min(1, Math.max(0, (cosine - whenPassed) / span));
    return [name, Math.round(share * 100) / 100] as const;
  });
  return Object.fromEntries(entries);
}

function bothSeen(probe: RegionDescriptors, reference: ReferenceTemplate['regions']) {
  return REGION_NAMES.flatMap((name) => {
    const a = probe[name];
    const b = reference[name];
    return a && b ? [{ name, cosine: cosineSimilarity(a, b) }] : [];
  });
}
