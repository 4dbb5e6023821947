// The region thresholds that ship, written by bench/region-calibration.ts.
import type { RegionCalibration } from './compare.ts';

export const DEFAULT_REGION_CALIBRATION: RegionCalibration = {
  population: 'LFW view 2, folds 1–5, one picture of each person',
  targetFmr: 0.05,
  thresholds: {
    forehead: 0.268,
    middle_forehead: 0.271,
    left_brow: 0.275,
    right_brow: 0.279,
    left_eye: 0.247,
    right_eye: 0.253,
    left_cheek: 0.293,
    right_cheek: 0.251,
    nose: 0.228,
    philtrum: 0.268,
    mouth: 0.262,
    jaw: 0.292,
  },
};
