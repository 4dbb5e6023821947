// Section 2: error rates of recognition, from the calibration of the pack in force.
import type { PackCalibration } from '../../models/packs/calibration.ts';
import type { MeasuredRow } from './contents.ts';
import { NOTHING } from './published.ts';

/** The recogniser that runs here. */
export interface RunningRecogniser {
  /** As templates carry it. */
  readonly packId: string;
  readonly targetFmr: number;
  /** As hashOfCode gives it for templates. */
  readonly code: string;
  /** That of this pack: none that was made for another one can run. */
  readonly calibration: PackCalibration | null;
}

const COMMON = {
  area: 'recognition',
  method: null,
  command: 'likeness bench recognition, as in docs/recognition.md',
  seconds: null,
} as const;

/**
 * FMR and FNMR of every group at the target, for every number of frames. Stale unless the calibration names the code that
 * finds and aligns the faces here.
 */
export function recognitionRows(running: RunningRecogniser): MeasuredRow[] {
  const { calibration, packId, targetFmr } = running;
  const missing = (why: string): MeasuredRow[] => [
    { ...NOTHING, ...COMMON, what: packId, measure: 'FMR, FNMR', note: `not measured: ${why}` },
  ];
  if (!calibration) return missing('the pack in force has no calibration');
  const staleBecause = whyStale(calibration, running);
  const found = {
    stale: staleBecause !== null,
    note: [staleBecause ?? [], 'thresholds were fitted to these people'].flat().join('; '),
  };
  const rows = calibration.thresholds.flatMap(({ points, ...frames }) =>
    points
      .filter((point) => point.target_fmr === targetFmr)
      .flatMap(({ groups, cosine }) =>
        groups.flatMap((rates) => ratesOf(calibration, { ...frames, cosine, rates, found })),
      ),
  );
  return rows.length > 0 ? rows : missing(`no rates were measured at a target FMR of ${targetFmr}`);
}

function whyStale({ code }: PackCalibration, running: RunningRecogniser): string | null {
  if (code === undefined) return 'stale: the pack in force, but the code around it was not recorded';
  return code === running.code ? null : 'stale: the pack in force, but other code around it';
}

type Frames = Pick<PackCalibration['thresholds'][number], 'probe_frames' | 'reference_frames'>;
type Rates = PackCalibration['thresholds'][number]['points'][number]['groups'][number];

function ratesOf(
  { samples, pack, made_at }: PackCalibration,
  {
    probe_frames: probe,
    reference_frames: reference,
    cosine,
    rates,
    found,
  }: Frames & {
    readonly cosine: number;
    readonly rates: Rates;
    readonly found: Pick<MeasuredRow, 'stale' | 'note'>;
  },
): MeasuredRow[] {
  const sample = samples.find(
    (one) => one.group === rates.group && one.probe_frames === probe && one.reference_frames === reference,
  );
  const row = {
    ...COMMON,
    what: `${rates.group}, ${probe} against ${reference} frames, cosine ${cosine.toFixed(3)}`,
    subjects: sample?.people ?? null,
    date: made_at.slice(0, 10),
    version: pack,
    ...found,
  };
  return [
    {
      ...row,
      measure: 'FMR',
      n: sample?.impostor ?? null,
      rate: rates.fmr,
      interval: rates.fmr_interval,
    },
    {
      ...row,
      measure: 'FNMR',
      n: sample?.genuine ?? null,
      rate: rates.fnmr,
      interval: rates.fnmr_interval,
    },
  ];
}
