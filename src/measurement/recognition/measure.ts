// The measurement of recognition as a list of steps: pairs → templates → scores → rates, calibration, worst pairs.
import { thresholdFor } from '../../evaluation/recognition/compare.ts';
import type { OperatingPoint } from '../../evaluation/recognition/operating-point.ts';
import type { PackCalibration } from '../../models/packs/calibration.ts';
import { type CurvePoint, errorCurve, thresholdAtFmr } from '../error-rates.ts';
import { type CalibrationGroup, calibrate } from './calibrate.ts';
import {
  type ComparedPair,
  type CompareInput,
  comparePairs,
  compareRegionPairs,
  type Group,
  groupOf,
} from './compared.ts';
import type { FileTemplate } from './embedding-cache.ts';
import { findPeople, type LabelledPair, sampleName } from './pairs-file.ts';
import { type GroupRates, type RegionRates, ratesOf, regionRatesOf } from './rates.ts';
import { type FaceSample, sampleOf } from './samples.ts';

export interface MeasureInput {
  readonly pairs: readonly LabelledPair[];
  /** Person by file, where the operator knows it. */
  readonly identities: ReadonlyMap<string, string>;
  readonly templates: ReadonlyMap<string, FileTemplate>;
  /** Columns of the pairs file whose values are set side by side. */
  readonly groupColumns: readonly string[];
  readonly strangers: boolean;
  /** Id of the pack as templates carry it. */
  readonly pack: string;
  /** Null when the pack has no calibration yet: then the one made here decides. */
  readonly operatingPoint: OperatingPoint | null;
  readonly targetFmr: number;
  readonly population: string | null;
  readonly worstGroupFactor: number;
  readonly madeBy: string;
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
  /** Least cosine that matches, for the number of probe frames that most pairs have. */
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

/** Share of strangers that a region may pass: it is shown as a hint, never decides. */
export const REGION_FMR = 0.05;
/** Strangers drawn for the regions in addition to the listed pairs: a rate of 5 % is then known to within .3 %. */
const REGION_STRANGERS = 20_000;
const WORST_PAIRS = 24;

/** Measures. Deterministic: the same pairs and templates give the same figures. */
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
  const regions = regionRatesOf(
    compareRegionPairs(compared, compareInput, REGION_STRANGERS),
    REGION_FMR,
    all.people,
  );
  const groups = namedGroups(compared, compareInput, input.groupColumns);
  const calibration = calibrate({
    ...input,
    population: input.population ?? describePopulation(groups.length > 0 ? groups : [all]),
    groups: byProbeFrames(groups.length > 0 ? groups : [all], compareInput),
    regions: {
      targetFmr: REGION_FMR,
      impostor: Math.max(...Object.values(regions).map(({ impostor }) => impostor)),
      thresholds: Object.fromEntries(
        Object.entries(regions).flatMap(([name, { threshold }]) =>
          threshold === null ? [] : [[name, threshold]],
        ),
      ),
    },
  });
  const point = input.operatingPoint ?? (calibration && pointOf(calibration, input.targetFmr));
  const threshold = (probeFrames: number) =>
    point ? thresholdFor(point, probeFrames) : thresholdAtFmr(all.impostor, input.targetFmr);
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
    threshold: threshold(compared[0]?.probeFrames ?? 1),
    thresholdOf: input.operatingPoint ? 'calibration' : 'these pairs',
    targetFmr: input.targetFmr,
    regions,
    calibration,
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

/** A group for each value of each column, and for each number of probe frames where there are several. */
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

function byProbeFrames(groups: readonly Group[], input: CompareInput): CalibrationGroup[] {
  return groups.flatMap((group) => {
    const numbers = [...new Set(group.pairs.map(({ probeFrames }) => probeFrames))];
    return numbers.map((probeFrames) => ({
      probeFrames,
      group:
        numbers.length === 1
          ? group
          : groupOf(
              group.column,
              group.name,
              group.pairs.filter((pair) => pair.probeFrames === probeFrames),
              input,
            ),
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

/** The operating point of the new calibration, for a pack without one. */
function pointOf(
  calibration: PackCalibration,
  targetFmr: number,
): Pick<OperatingPoint, 'thresholds' | 'scoreSlope'> {
  return {
    scoreSlope: calibration.score_slope,
    thresholds: calibration.thresholds.map(({ probe_frames, points }) => ({
      probeFrames: probe_frames,
      cosine: points.reduce((nearest, point) =>
        Math.abs(Math.log(point.target_fmr / targetFmr)) < Math.abs(Math.log(nearest.target_fmr / targetFmr))
          ? point
          : nearest,
      ).cosine,
    })),
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
