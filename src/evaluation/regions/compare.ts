// Compares two sets of region descriptors: Pass or Fail per region that both have, read beside the whole face's
// decision.
import { REGION_NAMES, type RegionName, type RegionStrengths } from '../../contract/regions.ts';
import type { RegionThresholds } from '../recognition/operating-point.ts';
import type { ReferenceTemplate } from '../recognition/template.ts';
import { cosineSimilarity } from '../recognition/vector.ts';

export type RegionDescriptors = Partial<Record<RegionName, Float32Array>>;

/**
 * Pass or Fail per region; a region missing on either side is left out, never failed. If the whole face matches, Fail
 * means less alike than nearly all of one person's; if it does not, Pass means more alike than nearly all strangers'.
 */
export function compareRegions(
  probe: RegionDescriptors,
  reference: ReferenceTemplate['regions'],
  thresholds: RegionThresholds,
  match: boolean,
): Partial<Record<RegionName, 'Pass' | 'Fail'>> {
  const entries = visibleInBoth(probe, reference).map(({ name, cosine }) => {
    const { whenPassed, whenFailed } = thresholds[name];
    return [name, cosine >= (match ? whenPassed : whenFailed) ? 'Pass' : 'Fail'] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * How alike the regions are that both sides have, to two decimals: 0 at the cosine that 5 % of genuine pairs miss, 1 at
 * the one that 5 % of strangers reach.
 */
export function regionStrengths(
  probe: RegionDescriptors,
  reference: ReferenceTemplate['regions'],
  thresholds: RegionThresholds,
): RegionStrengths {
  const entries = visibleInBoth(probe, reference).map(({ name, cosine }) => {
    const { whenPassed, whenFailed } = thresholds[name];
    // A calibration may have the same cosine for both; the strength is then a step.
    const span = Math.max(whenFailed - whenPassed, Number.EPSILON);
    const share = Math.min(1, Math.max(0, (cosine - whenPassed) / span));
    return [name, Math.round(share * 100) / 100] as const;
  });
  return Object.fromEntries(entries);
}

function visibleInBoth(probe: RegionDescriptors, reference: ReferenceTemplate['regions']) {
  return REGION_NAMES.flatMap((name) => {
    const a = probe[name];
    const b = reference[name];
    return a && b ? [{ name, cosine: cosineSimilarity(a, b) }] : [];
  });
}
