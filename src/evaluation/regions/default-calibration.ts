// The region thresholds that ship, written by bench/region-calibration.ts.
import type { RegionCalibration } from './compare.ts';

export const DEFAULT_REGION_CALIBRATION: RegionCalibration = {
  population: 'LFW view 2, folds 1–5, one picture of each person',
  targetFmr: 0.05,
  thresholds: {
    forehead: 1,
    middle_forehead: 1,
    left_brow: 1,
    right_brow: 1,
    left_eye: 1,
    right_eye: 1,
    left_cheek: 1,
    right_cheek: 1,
    nose: 1,
    philtrum: 1,
    mouth: 1,
    jaw: 1,
  },
};
