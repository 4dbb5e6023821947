// A pack's calibration at a target false match rate → the thresholds that decide.
import { Fault } from '../../base/errors.ts';
import { REGION_NAMES, type RegionName } from '../../contract/regions.ts';
import type { PackCalibration } from '../../models/packs/calibration.ts';
import type { RecogniserPack } from '../../models/packs/read-pack.ts';
import { bothWays, type FrameThreshold } from './thresholds.ts';

/**
 * Raise this when what a template holds beside the embedding changes (../regions: descriptors, their means): older
 * templates cannot be compared with newer ones.
 */
const REGIONS_REVISION = 1;

/**
 * The id that a template carries and that must be equal to compare: the recogniser pack and the layout of its regions.
 */
export function templatePackId(pack: RecogniserPack): string {
  return `${pack.id}.r${REGIONS_REVISION}`;
}

/** How one pack decides. */
export interface OperatingPoint {
  readonly packId: string;
  /** Whom it was calibrated on, in words. */
  readonly population: string;
  readonly targetFmr: number;
  /** Least cosine that matches, by the frames averaged on either side, ascending. Never empty. */
  readonly thresholds: readonly FrameThreshold[];
  /** Steepness of the logistic that maps cosine to score, per unit of cosine. */
  readonly scoreSlope: number;
  readonly regions: RegionThresholds;
}

/** Least cosines at which a region reads `Pass`: if the whole face matches, and if it does not. */
export type RegionThresholds = Readonly<
  Record<RegionName, { readonly whenPassed: number; readonly whenFailed: number }>
>;

/** A pack without a calibration can only be measured, never go live, so it uses the default pack's figures. */
const UNCALIBRATED: SamePersonCosines = { portrait: 0.61, frame: 0.54 };
/**
 * FMR of single frames at which a portrait still counts as the person of the others. Chosen by the cosine that it
 * gives: see samePersonCosines.
 */
const PORTRAIT_FMR = 1e-4;
/** The same for any other frame, in the largest group of the calibration. Chosen likewise. */
const FRAME_FMR = 1e-4;

/** Least cosines at which faces of one video count as one person's. */
export interface SamePersonCosines {
  /** Of a portrait to the mean of the others. */
  readonly portrait: number;
  /** Of any frame, including turned and smiling faces, to the mean of the portraits. */
  readonly frame: number;
}

/**
 * The thresholds for faces of one video, from the pack's calibration. Portraits use the threshold calibrated at
 * PORTRAIT_FMR or the nearest stricter rate, 0.60 with the default pack: persons swapped midway −0.01 to 0.48 (12
 * rendered swaps), genuine clips 0.73 and more, rendered persons 0.69 and more (`bench:pad`, 26 subjects); at 0.47 one
 * swap passed. Other frames are turned and moving, so they use the cosine that FRAME_FMR of the impostor pairs of the
 * largest group exceed (0.54): the third lowest of spliced answers is 0.06–0.37 for half of 150, 0.56 for one
 * look-alike; that of genuine clips that answer prompts 0.70 and more (identity bench).
 */
export function samePersonCosines({ calibration }: RecogniserPack): SamePersonCosines {
  const single = calibration?.thresholds.toSorted(
    (a, b) => a.probe_frames - b.probe_frames || a.reference_frames - b.reference_frames,
  )[0];
  const strict = single?.points.filter(({ target_fmr }) => target_fmr <= PORTRAIT_FMR) ?? [];
  return {
    portrait: strict.length > 0 ? Math.min(...strict.map(({ cosine }) => cosine)) : UNCALIBRATED.portrait,
    frame: (calibration && impostorQuantile(calibration, FRAME_FMR)) ?? UNCALIBRATED.frame,
  };
}

/**
 * The cosine that this share of single-frame impostor pairs exceed, rounded up to the end of its bin; null if none are
 * kept.
 */
function impostorQuantile({ distributions }: PackCalibration, share: number): number | null {
  const single = distributions.filter(
    ({ probe_frames, reference_frames }) => probe_frames === 1 && reference_frames === 1,
  );
  const pairsOf = ({ impostor }: { impostor: readonly number[] }) =>
    impostor.reduce((sum, count) => sum + count, 0);
  const [largest] = single.toSorted((a, b) => pairsOf(b) - pairsOf(a));
  if (!largest || pairsOf(largest) === 0) return null;
  const allowed = share * pairsOf(largest);
  let beyond = 0;
  for (let bin = largest.impostor.length - 1; bin >= 0; bin--) {
    beyond += largest.impostor[bin]!;
    if (beyond > allowed) return largest.bin_from + (bin + 1) * largest.bin_width;
  }
  return null;
}

/**
 * The operating point of a pack at a target FMR. Between calibrated rates the threshold is linear in the logarithm of
 * the rate.
 * @throws Fault CALIBRATION_INVALID if the pack has none, it is another pack's, or it does not reach that rate.
 */
export function operatingPoint(pack: RecogniserPack, targetFmr: number): OperatingPoint {
  const { calibration } = pack;
  const packId = templatePackId(pack);
  const { name } = pack.manifest;
  if (!calibration)
    throw new Fault(
      'CALIBRATION_INVALID',
      `pack ${name} has none: run likeness bench recognition --pack ${pack.folder}`,
    );
  if (calibration.pack !== packId)
    throw new Fault(
      'CALIBRATION_INVALID',
      `it was made for ${calibration.pack}, and pack ${name} is ${packId}`,
    );
  return {
    packId,
    population: calibration.population,
    targetFmr,
    thresholds: thresholdsAt(calibration, targetFmr),
    scoreSlope: calibration.score_slope,
    regions: regionThresholds(calibration),
  };
}

type Points = PackCalibration['thresholds'][number]['points'];

function thresholdsAt({ thresholds }: PackCalibration, targetFmr: number): FrameThreshold[] {
  return bothWays(
    thresholds.map(({ probe_frames, reference_frames, points }) => ({
      probeFrames: probe_frames,
      referenceFrames: reference_frames,
      cosine: cosineAt(points, targetFmr),
    })),
  );
}

function cosineAt(points: Points, targetFmr: number): number {
  const sorted = points.toSorted((a, b) => a.target_fmr - b.target_fmr);
  const above = sorted.findIndex((point) => point.target_fmr >= targetFmr * (1 - 1e-9));
  const high = sorted[above];
  if (!high || (above === 0 && high.target_fmr > targetFmr * (1 + 1e-9))) {
    const range = `${sorted[0]?.target_fmr} to ${sorted.at(-1)?.target_fmr}`;
    throw new Fault('CALIBRATION_INVALID', `it covers false match rates from ${range}, not ${targetFmr}`);
  }
  const low = sorted[above - 1];
  if (!low) return high.cosine;
  const share = Math.log(targetFmr / low.target_fmr) / Math.log(high.target_fmr / low.target_fmr);
  return low.cosine + Math.min(1, share) * (high.cosine - low.cosine);
}

function regionThresholds({ regions }: PackCalibration): RegionThresholds {
  const thresholds = {} as Record<RegionName, RegionThresholds[RegionName]>;
  for (const name of REGION_NAMES) {
    const point = regions.points[name];
    if (!point) throw new Fault('CALIBRATION_INVALID', `no threshold for the region ${name}`);
    thresholds[name] = { whenPassed: point.when_passed, whenFailed: point.when_failed };
  }
  return thresholds;
}
