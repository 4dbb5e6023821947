// The tables of the published files (bench/RESULTS-*.md) that become rows of section 2.
import type { JudgedKind } from '../judgement-hash.ts';
import type { MeasuredRow } from './contents.ts';

/** A table that becomes rows. The columns are named as in the file. */
export interface Source {
  readonly file: string;
  /** Whose judgement the file names. */
  readonly judged: JudgedKind;
  readonly section: string;
  readonly command: string;
  readonly area: MeasuredRow['area'];
  readonly method: string | null;
  readonly measure: string;
  /** The measure of the honest people among its rows, if there are any. */
  readonly honest?: string;
  readonly species: string;
  readonly rate: string;
  /** Which of the columns named `95 %`. */
  readonly interval: number;
}

/** The table of species whose rows are of an earlier judgement than their file's. */
export const NOT_AGAIN = 'Not measured again';

/** Of the table that adds them up; prompts just in time are another setting of the service, and not in it. */
export const ALL_METHODS = 'all together';

export const INJECT = {
  file: 'bench/RESULTS-INJECT.md',
  judged: 'challenge',
  command: 'npm run bench:inject',
  interval: 0,
} as const;
export const ATTACKS = {
  ...INJECT,
  area: 'injection',
  measure: 'APCER in three tries',
  rate: 'APCER',
} as const;
export const HONEST_PEOPLE = {
  ...INJECT,
  section: 'Bona fide',
  area: 'bona fide',
  method: null,
  species: 'presentations',
} as const;
export const PAD = {
  file: 'bench/RESULTS-PAD.md',
  judged: 'recording',
  command: 'npm run bench:pad',
  area: 'presentation',
  method: null,
  species: 'presentations',
} as const;

const FIRST_TRY = 'first try';
/** Columns that are estimates (acceptedPerChallenge). */
export const ESTIMATED: readonly string[] = ['accepted in 3 tries', 'in 3 tries'];
/** Columns of what was accepted: of honest people, an error is the rest of it. */
export const ACCEPTED: readonly string[] = [FIRST_TRY, ...ESTIMATED];

/** What honest people meet, by environment: once with one try, once with three. */
function environments(judged: string, measure: string): Source[] {
  const table = {
    ...PAD,
    section: `${judged}: what honest people meet`,
    area: 'bona fide',
    species: 'environment',
    interval: 0,
  } as const;
  return [
    { ...table, measure: `BPCER (sent back or refused) in one try${measure}`, rate: FIRST_TRY },
    {
      ...table,
      measure: `estimated: not accepted in three tries${measure}`,
      rate: 'in 3 tries',
      interval: 1,
    },
  ];
}

export const SOURCES: readonly Source[] = [
  { ...ATTACKS, section: 'Attacks', method: ALL_METHODS, species: 'species' },
  { ...ATTACKS, section: 'By method and instrument', method: null, species: 'instrument' },
  { ...HONEST_PEOPLE, measure: 'BPCER in three tries', rate: 'BPCER in three tries' },
  { ...HONEST_PEOPLE, measure: 'BPCER at the first try', rate: 'at the first try', interval: 1 },
  {
    ...PAD,
    section: 'Judged against a script',
    measure: 'APCER in one try',
    honest: 'BPCER (refused for good) in one try',
    rate: 'APCER / BPCER',
    interval: 0,
  },
  {
    ...PAD,
    section: 'Judged against a script',
    measure: 'estimated: accepted in three tries',
    honest: 'estimated: not accepted in three tries',
    rate: 'accepted in 3 tries',
    interval: 1,
  },
  {
    ...PAD,
    section: 'Passive checks alone',
    measure: 'APCER of the passive checks, without a script',
    honest: 'BPCER (refused for good) of the passive checks',
    rate: 'APCER / BPCER',
    interval: 0,
  },
  ...environments('Judged against a script', ''),
  ...environments('Passive checks alone', ', passive checks'),
];
