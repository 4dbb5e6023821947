// Builds the calibration file from groups of compared pairs: the threshold for each FMR, also for the hardest group.
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import { CALIBRATION_FORMAT, type PackCalibration } from '../../models/packs/calibration.ts';
import { groupBy } from '../group-by.ts';
import type { Group } from './compared.ts';
import { fitThreshold, MIN_IMPOSTORS, pool } from './fit-threshold.ts';
import { REGION_RATE, type RegionRates } from './region-rates.ts';

/** Pairs of one group that share the number of frames on each side. */
export interface CalibrationGroup {
  readonly group: Group;
  readonly probeFrames: number;
  readonly referenceFrames: number;
}

export interface CalibrationInput {
  readonly pack: string;
  readonly population: string;
  readonly madeBy: string;
  /** As hashOfCode gives it for templates. */
  readonly code: string;
  readonly madeAt: Date;
  readonly groups: readonly CalibrationGroup[];
  /** No group's FMR may exceed the target by more than this factor. */
  readonly worstGroupFactor: number;
}

const CALIBRATED_FMRS = [1e-2, 1e-3, 1e-4, 1e-5] as const;
/** The slope only spreads the score. With 12, genuine pairs of LFW (median cosine 0.77) score about 0.85. */
const SCORE_SLOPE = 12;
const BIN_WIDTH = 0.02;

/** A calibration without regions. They are fitted later, because they depend on the decision for the whole face. */
export type FaceCalibration = Omit<PackCalibration, 'regions'>;

/**
 * Fits one threshold for each combination of frames on either side and each target FMR (fit-threshold.ts). Combinations
 * with fewer than 100 impostor pairs are left out; null if none remains.
 */
export function calibrate(input: CalibrationInput): FaceCalibration | null {
  const cells = cellsOf(input.groups);
  if (cells.length === 0) return null;
  const groups = cells.flatMap((cell) => cell.groups);
  const frames = ({ probeFrames, referenceFrames }: Omit<CalibrationGroup, 'group'>) => ({
    probe_frames: probeFrames,
    reference_frames: referenceFrames,
  });
  return {
    format: CALIBRATION_FORMAT,
    pack: input.pack,
    population: input.population,
    made_at: input.madeAt.toISOString(),
    made_by: input.madeBy,
    code: input.code,
    worst_group_factor: input.worstGroupFactor,
    samples: groups.map(({ group, ...counts }) => ({
      group: group.name,
      ...frames(counts),
      people: group.people.length,
      genuine: group.genuine.count,
      impostor: group.impostor.count,
    })),
    score_slope: SCORE_SLOPE,
    thresholds: cells.map((cell) => {
      const those = cell.groups.map(({ group }) => group);
      const pooled = pool(those.map(({ impostor }) => impostor));
      return {
        ...frames(cell),
        points: CALIBRATED_FMRS.map((target) => fitThreshold(those, pooled, target, input.worstGroupFactor)),
      };
    }),
    distributions: groups.map(({ group, ...counts }) => ({
      group: group.name,
      ...frames(counts),
      bin_from: -1,
      bin_width: BIN_WIDTH,
      genuine: group.genuine.distribution(BIN_WIDTH),
      impostor: group.impostor.distribution(BIN_WIDTH),
    })),
  };
}

interface Cell extends Omit<CalibrationGroup, 'group'> {
  readonly groups: readonly CalibrationGroup[];
}

/**
 * Cells by the frames of probe and reference. If a frame fails, a few captures have an unusual number of frames; such
 * cells are dropped.
 */
function cellsOf(groups: readonly CalibrationGroup[]): Cell[] {
  return groupBy(groups, ({ probeFrames, referenceFrames }) => `${probeFrames} ${referenceFrames}`)
    .map((those) => ({ ...those[0]!, groups: those }))
    .filter((cell) => cell.groups.reduce((sum, { group }) => sum + group.impostor.count, 0) >= MIN_IMPOSTORS)
    .sort((a, b) => a.probeFrames - b.probeFrames || a.referenceFrames - b.referenceFrames);
}

/** The complete calibration; null if a region could not be fitted. */
export function withRegions(
  calibration: FaceCalibration,
  regions: Readonly<Record<RegionName, RegionRates>>,
): PackCalibration | null {
  const points = REGION_NAMES.map((name) => [name, regions[name].point] as const);
  if (points.some(([, point]) => point === null)) return null;
  const most = (kind: 'genuine' | 'impostor') => Math.max(...REGION_NAMES.map((name) => regions[name][kind]));
  return {
    ...calibration,
    regions: {
      target_rate: REGION_RATE,
      genuine: most('genuine'),
      impostor: most('impostor'),
      points: Object.fromEntries(points) as PackCalibration['regions']['points'],
    },
  };
}
