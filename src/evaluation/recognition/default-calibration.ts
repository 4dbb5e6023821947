// The calibration that ships. A deployment's own comes from its own pairs: the population shifts the threshold.
import type { RecognitionCalibration } from './compare.ts';
import { RECOGNISER_PACK } from './pack.ts';

/**
 * Fitted on the most severe set at hand, webcam pairs of East Asian subjects (NUAA): a false match rate of 1e-3 lies
 * at .622 there, while LFW's 1e-4 lies at .530 (7 million impostor pairs). It costs about one in ten genuine pairs of
 * single LFW photographs, far fewer when frames are averaged. The slope only spreads the score: genuine pairs of LFW
 * (median cosine .77) score about .85.
 */
export const DEFAULT_CALIBRATION: RecognitionCalibration = {
  packId: RECOGNISER_PACK.id,
  population: 'NUAA webcam, 8 subjects, single frames',
  targetFmr: 1e-3,
  thresholds: [{ probeFrames: 1, cosine: 0.622 }],
  scoreSlope: 12,
};
