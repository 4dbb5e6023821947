// calibration.json of a recogniser pack, made by `likeness bench recognition`: which cosine stands for which false
// match rate, on whom that was measured, and how genuine and impostor scores lie. Figures only, no faces.
import { type Static, Type } from 'typebox';

export const CALIBRATION_FILE = 'calibration.json';

const Rate = Type.Number({ minimum: 0, maximum: 1 });
const Interval = Type.Tuple([Rate, Rate]);
const Cosine = Type.Number({ minimum: -1.01, maximum: 1.01 });
const Count = Type.Integer({ minimum: 0 });

/** A measured rate of one group at one threshold. */
const GroupRates = Type.Object({
  group: Type.String(),
  fmr: Rate,
  fmr_interval: Interval,
  fnmr: Type.Union([Rate, Type.Null()]),
  fnmr_interval: Type.Union([Interval, Type.Null()]),
});

/** The threshold for one target FMR. */
const CalibrationPoint = Type.Object({
  target_fmr: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
  cosine: Cosine,
  set_by: Type.String({ description: 'The group that asked for this threshold, or `all`.' }),
  extrapolated: Type.Boolean({
    description: 'Too few impostor pairs to count: continued along a normal tail.',
  }),
  groups: Type.Array(GroupRates),
});

/** Thresholds for one number of averaged probe frames. */
const CalibrationOfFrames = Type.Object({
  probe_frames: Type.Integer({ minimum: 1 }),
  points: Type.Array(CalibrationPoint, { minItems: 1 }),
});

/** How the scores of one group lie: counts per bin of cosine. */
const Distribution = Type.Object({
  group: Type.String(),
  probe_frames: Type.Integer({ minimum: 1 }),
  bin_from: Type.Number(),
  bin_width: Type.Number({ exclusiveMinimum: 0 }),
  genuine: Type.Array(Count),
  impostor: Type.Array(Count),
});

/** Thresholds of the likeness regions. */
const RegionThresholds = Type.Object({
  target_fmr: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
  impostor: Count,
  thresholds: Type.Record(Type.String(), Cosine),
});

/** The whole file. */
export const PackCalibration = Type.Object({
  format: Type.Literal(1),
  /** Id of the pack with its layout of regions, as templates carry it. */
  pack: Type.String({ minLength: 1 }),
  population: Type.String({ minLength: 1 }),
  made_at: Type.String(),
  made_by: Type.String(),
  worst_group_factor: Type.Number({ minimum: 1 }),
  samples: Type.Array(
    Type.Object({
      group: Type.String(),
      probe_frames: Type.Integer({ minimum: 1 }),
      people: Count,
      genuine: Count,
      impostor: Count,
    }),
  ),
  score_slope: Type.Number({ exclusiveMinimum: 0 }),
  thresholds: Type.Array(CalibrationOfFrames, { minItems: 1 }),
  distributions: Type.Array(Distribution),
  regions: RegionThresholds,
});
export type PackCalibration = Static<typeof PackCalibration>;
