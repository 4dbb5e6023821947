// Calibration files of format 1, which operators still have: thresholds by probe frames alone, one threshold per
// region.
import { type Static, Type } from 'typebox';
import { Cosine, Count, GroupRates, type PackCalibration, TargetRate } from './calibration.ts';

const FrameCount = Type.Integer({ minimum: 1 });

/** The whole file, as far as it is read. */
export const PackCalibration1 = Type.Object({
  format: Type.Literal(1),
  pack: Type.String({ minLength: 1 }),
  population: Type.String({ minLength: 1 }),
  made_at: Type.String(),
  made_by: Type.String(),
  worst_group_factor: Type.Number({ minimum: 1 }),
  samples: Type.Array(
    Type.Object({
      group: Type.String(),
      probe_frames: FrameCount,
      people: Count,
      genuine: Count,
      impostor: Count,
    }),
  ),
  score_slope: Type.Number({ exclusiveMinimum: 0 }),
  thresholds: Type.Array(
    Type.Object({
      probe_frames: FrameCount,
      points: Type.Array(
        Type.Object({
          target_fmr: TargetRate,
          cosine: Cosine,
          set_by: Type.String(),
          extrapolated: Type.Boolean(),
          groups: Type.Array(GroupRates),
        }),
        { minItems: 1 },
      ),
    }),
    { minItems: 1 },
  ),
  distributions: Type.Array(
    Type.Object({
      group: Type.String(),
      probe_frames: FrameCount,
      bin_from: Type.Number(),
      bin_width: Type.Number({ exclusiveMinimum: 0 }),
      genuine: Type.Array(Count),
      impostor: Type.Array(Count),
    }),
  ),
  regions: Type.Object({
    target_fmr: TargetRate,
    impostor: Count,
    thresholds: Type.Record(Type.String(), Cosine),
  }),
});

/**
 * Converts a calibration to format 2. A threshold of format 1 applies to references of any number of frames; its region
 * thresholds apply whatever the whole face's decision is. Samples of format 1 had as many frames on both sides.
 */
export function upgradeCalibration(old: Static<typeof PackCalibration1>): PackCalibration {
  const bothSides = <T extends { readonly probe_frames: number }>(each: T) => ({
    ...each,
    reference_frames: each.probe_frames,
  });
  return {
    ...old,
    format: 2,
    samples: old.samples.map(bothSides),
    distributions: old.distributions.map(bothSides),
    thresholds: fullGrid(old.thresholds),
    regions: {
      target_rate: old.regions.target_fmr,
      genuine: 0,
      impostor: old.regions.impostor,
      points: Object.fromEntries(
        Object.entries(old.regions.thresholds).map(([name, cosine]) => [
          name,
          { when_passed: cosine, when_failed: cosine, equal_error: null, held_apart: null },
        ]),
      ),
    },
  };
}

/** Repeats each threshold for every number of reference frames that the file names. */
function fullGrid(old: Static<typeof PackCalibration1>['thresholds']): PackCalibration['thresholds'] {
  const numbers = old.map(({ probe_frames }) => probe_frames);
  return old.flatMap(({ probe_frames, points }) =>
    numbers.map((reference_frames) => ({
      ...{ probe_frames, reference_frames },
      points: points.map((point) => ({ ...point, worst_pair: null })),
    })),
  );
}
