// The output of `bench recognition`: with --json, rates as fractions, each next to its 95 % interval; otherwise the
// same as lines for people.

import type { MeasuredGroup, RecognitionMeasurement } from './measure.ts';
import type { GroupRates, Rate } from './rates.ts';

/** The output of `bench recognition --json`. */
export function recognitionAnswer(measured: RecognitionMeasurement): Record<string, unknown> {
  const { all, groups, failures, files, calibration } = measured;
  return {
    pack: measured.pack,
    pairs: all.group.pairs.length,
    people: all.group.people.length,
    genuine: all.group.genuine.count,
    impostor: all.group.impostor.count,
    files,
    failures_to_acquire: failures.length,
    ...ratesJson(all.rates, measured),
    regions: Object.fromEntries(
      Object.entries(measured.regions).map(([name, region]) => [
        name,
        {
          ...rateJson('auc', region.auc),
          point: region.point,
          genuine: region.genuine,
          impostor: region.impostor,
        },
      ]),
    ),
    groups: groups.map(({ group, rates }) => ({
      column: group.column,
      value: group.name,
      people: group.people.length,
      genuine: group.genuine.count,
      impostor: group.impostor.count,
      ...ratesJson(rates, measured),
    })),
    suggested_thresholds: (calibration?.thresholds ?? []).flatMap(
      ({ probe_frames, reference_frames, points }) =>
        points.map(({ target_fmr, cosine, set_by, extrapolated, worst_pair }) => ({
          probe_frames,
          reference_frames,
          target_fmr,
          cosine,
          set_by,
          extrapolated,
          worst_pair,
        })),
    ),
    failures: failures.map(({ file, reason }) => ({ file, reason })),
  };
}

function ratesJson(rates: GroupRates, { threshold, targetFmr, thresholdOf }: RecognitionMeasurement): object {
  const { accuracy, eer, fnmrAtFmr, atOperatingPoint } = rates;
  const key = (fmr: number) => fmr.toExponential(0);
  return {
    ...rateJson('accuracy', accuracy),
    ...rateJson('eer', eer),
    fnmr_at_fmr: Object.fromEntries(fnmrAtFmr.map(({ fmr, fnmr }) => [key(fmr), fnmr?.value ?? null])),
    fnmr_at_fmr_intervals: Object.fromEntries(
      fnmrAtFmr.map(({ fmr, fnmr }) => [key(fmr), fnmr?.interval ?? null]),
    ),
    thresholds_at_fmr: Object.fromEntries(fnmrAtFmr.map(({ fmr, threshold: at }) => [key(fmr), at])),
    at_operating_point: {
      ...rateJson('fmr', atOperatingPoint.fmr),
      ...rateJson('fnmr', atOperatingPoint.fnmr),
      threshold,
      target_fmr: targetFmr,
      threshold_of: thresholdOf,
    },
  };
}

function rateJson(name: string, rate: Rate | null): object {
  return { [name]: rate?.value ?? null, [`${name}_interval`]: rate?.interval ?? null };
}

/** A header row and one row per group. */
export function recognitionTable({ all, groups }: RecognitionMeasurement): string[][] {
  const fmrs = all.rates.fnmrAtFmr.map(({ fmr }) => `FNMR at FMR ${fmr.toExponential(0)}`);
  const line = ({ group, rates }: MeasuredGroup) => [
    group.column ? `${group.column} ${group.name}` : group.name,
    ...[group.people.length, group.genuine.count, group.impostor.count].map(String),
    ...[rates.accuracy, rates.eer, ...rates.fnmrAtFmr.map(({ fnmr }) => fnmr)].map(formatRate),
    ...[rates.atOperatingPoint.fmr, rates.atOperatingPoint.fnmr].map(formatRate),
  ];
  return [
    ['pairs', 'people', 'genuine', 'impostor', 'accuracy', 'EER', ...fmrs, 'FMR in use', 'FNMR in use'],
    line(all),
    ...groups.map(line),
  ];
}

/** The threshold in use, or a dash: without a calibration and without impostors there is none. */
export function formatThreshold({ threshold }: Pick<RecognitionMeasurement, 'threshold'>): string {
  return Number.isNaN(threshold) ? '–' : threshold.toFixed(4);
}

/** A rate in per cent with its interval. */
export function formatRate(rate: Rate | null): string {
  if (!rate || Number.isNaN(rate.value)) return '–';
  const [low, high] = rate.interval;
  return `${percent(rate.value)} (${percent(low)}–${percent(high)})`;
}

function percent(value: number): string {
  const per = value * 100;
  return per > 0 && per < 0.1 ? `${per.toPrecision(1)} %` : `${per.toFixed(2)} %`;
}
