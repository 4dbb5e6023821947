// Compares a probe's template with references: score, decision, likeness of the regions.

import { Fault } from '../base/errors.ts';
import type { RegionStrengths } from '../contract/regions.ts';
import type { Comparison } from '../contract/result.ts';
import { compareEmbeddings } from './recognition/compare.ts';
import type { OperatingPoint } from './recognition/operating-point.ts';
import type { FaceTemplate, ReferenceTemplate } from './recognition/template.ts';
import { compareRegions, regionStrengths } from './regions/compare.ts';

/** What the probe is compared with; `id` is only passed through to the result. */
export interface Reference {
  readonly id: string;
  readonly template: ReferenceTemplate;
}

/** The comparison with one reference. The score is unrounded. */
export interface ReferenceComparison extends Comparison {
  readonly id: string;
  /** For operators only; the result says Pass or Fail. */
  readonly regionStrengths: RegionStrengths;
}

/**
 * Compares one pair at the operating point of their pack, with the threshold for the number of frames on either side.
 * @throws Fault INVARIANT when the packs differ: the caller must have refused the reference before.
 */
export function compareTemplates(
  probe: FaceTemplate,
  reference: Reference,
  at: OperatingPoint,
): ReferenceComparison {
  const { id, template } = reference;
  if (template.packId !== probe.packId || at.packId !== probe.packId)
    throw new Fault('INVARIANT', `templates of ${template.packId} and ${probe.packId} are not comparable`);
  const comparison = compareEmbeddings(probe, template, at);
  return {
    id,
    score: comparison.score,
    result: comparison.match ? 'pass' : 'fail',
    likeness_features: compareRegions(probe.regions, template.regions, at.regions, comparison.match),
    regionStrengths: regionStrengths(probe.regions, template.regions, at.regions),
  };
}
