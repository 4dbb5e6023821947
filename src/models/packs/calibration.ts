// calibration.json of a recogniser pack, made by `likeness bench recognition`: which cosine corresponds to which false
// match rate, on whom that was measured, and how genuine and impostor scores are distributed. Figures only, no faces.
import { type Static, Type } from 'typebox';

export const CALIBRATION_FILE = 'calibration.json';
/** Version of the fields below. */
export const CALIBRATION_FORMAT = 2;

const Rate = Type.Number({ minimum: 0, maximum: 1 });
const Interval = Type.Tuple([Rate, Rate]);
export const Cosine = Type.Number({ minimum: -1.01, maximum: 1.01 });
export const Count = Type.Integer({ minimum: 0 });
export const TargetRate = Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 });
const FrameCount = Type.Integer({ minimum: 1 });
/** Frames averaged on either side. A cosine is the same both ways round, so one of the two orders is enough. */
const FRAMES = { probe_frames: FrameCount, reference_frames: FrameCount };

const Measured = Type.Union([Rate, Type.Null()]);
const MeasuredInterval = Type.Union([Interval, Type.Null()]);

/** The measured rates of one group at one threshold; null if it had no pair of that kind. */
export const GroupRates = Type.Object({
  group: Type.String(),
  fmr: Measured,
  fmr_interval: MeasuredInterval,
  fnmr: Measured,
  fnmr_interval: MeasuredInterval,
});

/** The threshold without the pair of people who are confused most, and how much of the false matches is theirs. */
const WorstPair = Type.Object({
  group: Type.String({ description: 'The group that the pair belongs to.' }),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "The pair's share of the group's false matches at the threshold with it.",
  }),
  cosine_with: Cosine,
  cosine_without: Cosine,
  ships: Type.Enum(['with', 'without']),
});

/** The threshold for one target FMR. */
const CalibrationPoint = Type.Object({
  target_fmr: TargetRate,
  cosine: Cosine,
  set_by: Type.String({ description: 'The group that required this threshold, or `all`.' }),
  extrapolated: Type.Boolean({
    description: 'Too few impostor pairs to count: extrapolated along a normal tail.',
  }),
  worst_pair: Type.Union([WorstPair, Type.Null()], {
    description: 'Null if leaving out any one pair of people changes nothing, or if that was not examined.',
  }),
  groups: Type.Array(GroupRates),
});

/** Thresholds for one number of averaged frames on each side. */
const CalibrationOfFrames = Type.Object({
  ...FRAMES,
  points: Type.Array(CalibrationPoint, { minItems: 1 }),
});

/** How the scores of one group are distributed: counts per bin of cosine. */
const Distribution = Type.Object({
  group: Type.String(),
  ...FRAMES,
  bin_from: Type.Number(),
  bin_width: Type.Number({ exclusiveMinimum: 0 }),
  genuine: Type.Array(Count),
  impostor: Type.Array(Count),
});

/**
 * One likeness region: its thresholds, given the whole face's decision, and their effect on people held out from the
 * fit.
 */
const RegionPoint = Type.Object({
  when_passed: Cosine,
  when_failed: Cosine,
  equal_error: Type.Union([Cosine, Type.Null()], {
    description: 'Where as many genuine pairs are below as impostor pairs are above.',
  }),
  held_apart: Type.Union(
    [
      Type.Object({
        genuine_failing: Rate,
        genuine_failing_interval: Interval,
        fmr: Rate,
        strangers_passing: Rate,
        strangers_passing_interval: Interval,
      }),
      Type.Null(),
    ],
    {
      description:
        'On the held-out half of the people. genuine_failing: of genuine pairs whose face matches. fmr: of all impostor ' +
        'pairs, at when_passed. strangers_passing: of impostor pairs whose face does not match, at when_failed.',
    },
  ),
});

/** Thresholds of the likeness regions, each the least cosine that reads `Pass`. */
const Regions = Type.Object({
  target_rate: TargetRate,
  genuine: Count,
  impostor: Count,
  points: Type.Record(Type.String(), RegionPoint),
});

/** The whole file. */
export const PackCalibration = Type.Object({
  format: Type.Literal(CALIBRATION_FORMAT),
  /** Id of the pack with its layout of regions, as templates carry it. */
  pack: Type.String({ minLength: 1 }),
  population: Type.String({ minLength: 1 }),
  made_at: Type.String(),
  made_by: Type.String(),
  /** Hash of the code that made the templates; absent from files that were made before it was recorded. */
  code: Type.Optional(Type.String()),
  worst_group_factor: Type.Number({ minimum: 1 }),
  samples: Type.Array(
    Type.Object({ group: Type.String(), ...FRAMES, people: Count, genuine: Count, impostor: Count }),
  ),
  score_slope: Type.Number({ exclusiveMinimum: 0 }),
  thresholds: Type.Array(CalibrationOfFrames, { minItems: 1 }),
  distributions: Type.Array(Distribution),
  regions: Regions,
});
export type PackCalibration = Static<typeof PackCalibration>;
