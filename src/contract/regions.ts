// The twelve likeness regions of a result, in the order in which templates store them.

/** Names of the face regions, as the result object spells them. Left and right are the person's own. */
export const REGION_NAMES = [
  'forehead',
  'middle_forehead',
  'left_brow',
  'right_brow',
  'left_eye',
  'right_eye',
  'left_cheek',
  'right_cheek',
  'nose',
  'philtrum',
  'mouth',
  'jaw',
] as const;

export type RegionName = (typeof REGION_NAMES)[number];

/**
 * How similar regions are, for operators only. 0: only 5 of 100 mated comparisons are as dissimilar; 1: only 5 of 100
 * non-mated comparisons are as similar; linear in the cosine in between. A region that was not visible is left out.
 */
export type RegionStrengths = Readonly<Partial<Record<RegionName, number>>>;
