// The score distribution of a pack's calibration pairs, to show where a score lies in it.
import type { RecogniserPack } from '../../models/packs/read-pack.ts';
import { comparisonScore } from './compare.ts';
import { operatingPoint } from './operating-point.ts';
import { thresholdFor } from './thresholds.ts';

const BINS = 40;

/** Shares per bin of score, BINS of equal width from 0 to 1; each list sums to 1, or to 0 without pairs. */
export interface ScoreDistribution {
  readonly population: string;
  readonly genuine: readonly number[];
  readonly impostor: readonly number[];
}

/** The distribution for one frame against one, all groups together. Null if the calibration keeps no distributions. */
export function scoreDistribution(pack: RecogniserPack, targetFmr: number): ScoreDistribution | null {
  const single =
    pack.calibration?.distributions.filter(
      ({ probe_frames, reference_frames }) => probe_frames === 1 && reference_frames === 1,
    ) ?? [];
  if (single.length === 0) return null;
  const point = operatingPoint(pack, targetFmr);
  const threshold = thresholdFor(point, 1, 1);
  const shares = (kind: 'genuine' | 'impostor') => {
    const counts = new Array<number>(BINS).fill(0);
    for (const { bin_from, bin_width, [kind]: bins } of single)
      bins.forEach((count, at) => {
        const score = comparisonScore(bin_from + (at + 0.5) * bin_width, threshold, point.scoreSlope);
        const bin = Math.min(BINS - 1, Math.floor(score * BINS));
        counts[bin] = counts[bin]! + count;
      });
    const total = counts.reduce((sum, count) => sum + count, 0);
    return counts.map((count) => (total === 0 ? 0 : count / total));
  };
  return { population: point.population, genuine: shares('genuine'), impostor: shares('impostor') };
}
