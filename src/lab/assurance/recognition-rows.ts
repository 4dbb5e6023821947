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

/** Those of docs/recognition.md. */
const COMMAND =
  'npx tsx bench/recognition-pairs.ts && bin/likeness bench recognition --pairs build/bench/recognition-pairs.csv ' +
  '--root $FACES_DIR --groups set --identities build/bench/recognition-people.csv --all-strangers --out measured';

const COMMON = { area: 'recognition', method: null, command: COMMAND, seconds: null } as const;

const OTHER_PEOPLE = 'data to which nothing was fitted';
const PERHAPS_OTHERS = 'other captures than those that were fitted to, but perhaps of the same persons';

/** What docs/recognition.md says was tried besides, with the built-in pack. */
const CONFIRMED: readonly Pick<MeasuredRow, 'what' | 'measure' | 'rate' | 'note'>[] = [
  { what: 'LFW, folds 6 to 10', measure: 'errors (1 − accuracy)', rate: 0.0053, note: OTHER_PEOPLE },
  { what: 'LFW, folds 6 to 10', measure: 'FNMR at an FMR of 1e-3', rate: 0.014, note: OTHER_PEOPLE },
  {
    what: 'webcams (NUAA), 1 against 1 frames, at the thresholds that ship',
    measure: 'FNMR',
    rate: 0.0057,
    note: PERHAPS_OTHERS,
  },
  {
    what: 'webcams (NUAA), more frames, at the thresholds that ship',
    measure: 'FNMR',
    rate: 0,
    note: PERHAPS_OTHERS,
  },
];

const confirmedRows = (): MeasuredRow[] =>
  CONFIRMED.map((row) => ({
    ...NOTHING,
    ...COMMON,
    ...row,
    command: 'none: docs/recognition.md says what was measured',
    stale: true,
    note: `stale: the built-in pack, but its code was not recorded; ${row.note}; numbers of pairs were not written down`,
  }));

/** Rates of the people to whom thresholds were fitted, and of others. */
export const recognitionRows = (running: RunningRecogniser): MeasuredRow[] => [
  ...fittedRows(running),
  ...confirmedRows(),
];

/**
 * FMR and FNMR of every group at the target, for every number of frames. Stale unless the calibration names the code that
 * finds and aligns the faces here.
 */
function fittedRows(running: RunningRecogniser): MeasuredRow[] {
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
