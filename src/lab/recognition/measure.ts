// The steps of measuring recognition: pairs → templates → scores → rates, calibration and worst pairs.
import type { OperatingPoint } from '../../evaluation/recognition/operating-point.ts';
import { bothWays, thresholdFor } from '../../evaluation/recognition/thresholds.ts';
import type { PackCalibration } from '../../models/packs/calibration.ts';
import { type CurvePoint, errorCurve, thresholdAtFmr } from '../error-rates.ts';
import { groupBy } from '../group-by.ts';
import { type CalibrationGroup, calibrate, type FaceCalibration, withRegions } from './calibrate.ts';
import { type ComparedPair, type CompareInput, comparePairs, type Group, groupOf } from './compared.ts';
import type { FileTemplate } from './embedding-cache.ts';
import { findPeople, type LabelledPair, sampleName } from './pairs-file.ts';
import { type GroupRates, ratesOf, type ThresholdOf, usualFrames } from './rates.ts';
import { type RegionRates, regionRatesOf } from './region-rates.ts';
import { regionTrials } from './region-trials.ts';
import { type FaceSample, sampleOf } from './samples.ts';

export interface MeasureInput {
  readonly pairs: readonly LabelledPair[];
  /** Person by file, as far as the operator knows. */
  readonly identities: ReadonlyMap<string, string>;
  readonly templates: ReadonlyMap<string, FileTemplate>;
  /** Columns of the pairs file whose values form groups to compare. */
  readonly groupColumns: readonly string[];
  readonly strangers: boolean;
  /** Id of the pack as in templates. */
  readonly pack: string;
  /** Null if the pack has no calibration yet; then the one made here decides. */
  readonly operatingPoint: OperatingPoint | null;
  readonly targetFmr: number;
  readonly population: string | null;
  readonly worstGroupFactor: number;
  readonly madeBy: string;
  /** As hashOfCode gives it for templates. */
  readonly code: string;
  readonly madeAt: Date;
}

/** Rates and curve of one group. */
export interface MeasuredGroup {
  readonly group: Group;
  readonly rates: GroupRates;
  readonly curve: readonly CurvePoint[];
}

export interface RecognitionMeasurement {
  readonly pack: string;
  readonly files: number;
  readonly failures: readonly { readonly file: string; readonly reason: string }[];
  readonly all: MeasuredGroup;
  readonly groups: readonly MeasuredGroup[];
  /** Lowest cosine that matches, for the most common numbers of frames per side; NaN if there is none. */
  readonly threshold: number;
  readonly thresholdOf: 'calibration' | 'these pairs';
  readonly targetFmr: number;
  readonly regions: Readonly<Record<string, RegionRates>>;
  /** Null with too few impostor pairs. */
  readonly calibration: PackCalibration | null;
  readonly worstGroupFactor: number;
  readonly madeAt: Date;
  readonly worst: { readonly genuine: readonly ComparedPair[]; readonly impostor: readonly ComparedPair[] };
}

/** Impostor pairs drawn for the regions besides the listed ones; a rate of 5 % is then known to within 0.3 %. */
const REGION_STRANGERS = 20_000;
const WORST_PAIRS = 24;

/** Measures recognition. Deterministic: the same pairs and templates give the same figures. */
export function measureRecognition(input: MeasureInput): RecognitionMeasurement {
  const { pairs, templates } = input;
  const failures = [...templates].flatMap(([file, made]) =>
    made.status === 'unusable' ? [{ file, reason: made.reason }] : [],
  );
  const compareInput: CompareInput = {
    pairs,
    samples: samplesOf(pairs, templates),
    people: findPeople(pairs, input.identities),
    strangers: input.strangers,
  };
  const compared = comparePairs(compareInput);
  const all = groupOf('', 'all', compared, compareInput);
  const groups = namedGroups(compared, compareInput, input.groupColumns);
  const fitted = calibrate({
    ...input,
    population: input.population ?? describePopulation(groups.length > 0 ? groups : [all]),
    groups: byFrames(groups.length > 0 ? groups : [all], compareInput),
  });
  const point = input.operatingPoint ?? (fitted && pointOf(fitted, input.targetFmr));
  const threshold: ThresholdOf = (probeFrames, referenceFrames) =>
    point ? thresholdFor(point, probeFrames, referenceFrames) : thresholdAtFmr(all.impostor, input.targetFmr);
  // Regions of a new calibration are fitted to its own decisions, whatever calibration is in force.
  const own = fitted && pointOf(fitted, input.targetFmr);
  const regions = regionRatesOf(
    regionTrials(compared, compareInput, REGION_STRANGERS),
    ({ cosine, probeFrames, referenceFrames }) =>
      cosine >=
      (own ? thresholdFor(own, probeFrames, referenceFrames) : threshold(probeFrames, referenceFrames)),
    all.people,
  );
  const measured = (group: Group): MeasuredGroup => ({
    group,
    rates: ratesOf(group, threshold),
    curve: errorCurve(group.genuine, group.impostor),
  });
  return {
    pack: input.pack,
    files: templates.size,
    failures,
    all: measured(all),
    groups: groups.map(measured),
    threshold: threshold(...usualFrames(all)),
    thresholdOf: input.operatingPoint ? 'calibration' : 'these pairs',
    targetFmr: input.targetFmr,
    regions,
    calibration: fitted && withRegions(fitted, regions),
    worstGroupFactor: input.worstGroupFactor,
    madeAt: input.madeAt,
    worst: worstPairs(compared),
  };
}

function samplesOf(
  pairs: readonly LabelledPair[],
  templates: ReadonlyMap<string, FileTemplate>,
): Map<string, FaceSample | null> {
  const samples = new Map<string, FaceSample | null>();
  for (const { probe, reference } of pairs)
    for (const side of [probe, reference]) {
      const name = sampleName(side);
      if (!samples.has(name)) samples.set(name, sampleOf(side.map((file) => templates.get(file)!)));
    }
  return samples;
}

/** One group for each value of each column. */
function namedGroups(
  compared: readonly ComparedPair[],
  input: CompareInput,
  columns: readonly string[],
): Group[] {
  return columns.flatMap((column) => {
    const values = [...new Set(compared.map(({ pair }) => pair.columns[column] ?? ''))];
    return values.map((value) =>
      groupOf(
        column,
        value === '' ? '(empty)' : value,
        compared.filter(({ pair }) => (pair.columns[column] ?? '') === value),
        input,
      ),
    );
  });
}

/** Splits each group's pairs by the frames of probe and reference. */
function byFrames(groups: readonly Group[], input: CompareInput): CalibrationGroup[] {
  return groups.flatMap((group) => {
    const cells = groupBy(
      group.pairs,
      ({ probeFrames, referenceFrames }) => `${probeFrames} ${referenceFrames}`,
    );
    return cells.map((pairs) => ({
      probeFrames: pairs[0]!.probeFrames,
      referenceFrames: pairs[0]!.referenceFrames,
      group: cells.length === 1 ? group : groupOf(group.column, group.name, pairs, input),
    }));
  });
}

function describePopulation(groups: readonly Group[]): string {
  return groups
    .map(
      ({ name, people, genuine, impostor }) =>
        `${name}: ${people.length} people, ${genuine.count} genuine and ${impostor.count} impostor pairs`,
    )
    .join('; ');
}

/** The operating point of the new calibration at the calibrated rate closest to the target. */
function pointOf(calibration: FaceCalibration, targetFmr: number): Pick<OperatingPoint, 'thresholds'> {
  const distance = (rate: number) => Math.abs(Math.log(rate / targetFmr));
  return {
    thresholds: bothWays(
      calibration.thresholds.map(({ probe_frames, reference_frames, points }) => ({
        probeFrames: probe_frames,
        referenceFrames: reference_frames,
        cosine: points.reduce((nearest, point) =>
          distance(point.target_fmr) < distance(nearest.target_fmr) ? point : nearest,
        ).cosine,
      })),
    ),
  };
}

function worstPairs(compared: readonly ComparedPair[]): RecognitionMeasurement['worst'] {
  const ascending = compared.toSorted((a, b) => a.score - b.score);
  return {
    genuine: ascending.filter((pair) => pair.same).slice(0, WORST_PAIRS),
    impostor: ascending
      .filter((pair) => !pair.same)
      .slice(-WORST_PAIRS)
      .reverse(),
  };
}
