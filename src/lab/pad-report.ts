// The output of `bench pad` from judged presentations: rates by species with intervals, as JSON and as a table.
import type { JudgedRow } from './pad-judge.ts';
import { acceptedPerChallenge, CHOICES, type Rate, shareOf, TRIES } from './pad-rates.ts';

type Json = Record<string, unknown>;

/** The output of `bench pad --json`: rates as fractions, each with its 95 % interval. */
export function padReport(rows: readonly JudgedRow[]): Json {
  const bonaFide = rows.filter(({ species }) => species === null);
  const species = speciesOf(rows);
  return {
    bona_fide: {
      ...bonaFideRates(bonaFide),
      kinds: Object.fromEntries(
        kindsOf(bonaFide).map((kind) => [kind, bonaFideRates(bonaFide.filter((row) => row.kind === kind))]),
      ),
    },
    species: Object.fromEntries(
      species.map((name) => {
        const own = rows.filter((row) => row.species === name);
        const rates = { ...counted(own), ...named('apcer', shareOf(own, isAccepted)) };
        const rest = {
          sent_back: plain(shareOf(own, isSentBack)),
          per_challenge: perChallenge(own, 'apcer'),
          searching: { choices: CHOICES, ...perChallenge(own, 'apcer', CHOICES) },
        };
        return [name, { ...rates, ...rest }];
      }),
    ),
    smile: {
      bona_fide: smileRates(bonaFide),
      attacks: smileRates(rows.filter((row) => row.species !== null)),
    },
    not_judged: tally(rows.flatMap(({ liveness, reasons }) => (liveness ? [] : reasons))),
  };
}

/**
 * The same for people: one line per species, sorted by an attacker's success with the best of CHOICES, or in one try
 * where nothing more is known; worst first. A dash where there is no estimate (acceptedPerChallenge).
 * @param withKinds whether each kind of bona fide footage has a line below that of all of it
 */
export function padTable(rows: readonly JudgedRow[], withKinds = true): string[][] {
  const line = (name: string, own: readonly JudgedRow[], counts: (row: JudgedRow) => boolean) => {
    const rate = shareOf(own, counts);
    const sent = shareOf(own, isSentBack);
    const challenge = acceptedPerChallenge(own);
    const searching = own[0]?.species ? percent(acceptedPerChallenge(own, CHOICES).rate) : '–';
    return [
      name,
      String(rate.n),
      String(clipsOf(own)),
      String(rate.subjects),
      percent(rate.rate),
      spread(rate.interval),
      percent(sent.rate),
      percent(challenge.rate),
      Number.isNaN(challenge.rate) ? '–' : spread(challenge.interval),
      searching,
      mainReasons(own),
    ];
  };
  const bonaFide = rows.filter(({ species }) => species === null);
  const ofSpecies = speciesOf(rows).map((name) => rows.filter(({ species }) => species === name));
  const worstFirst = ofSpecies
    .map((own) => ({ own, rate: successOf(own) }))
    .sort((one, other) => other.rate - one.rate);
  return [
    [
      'presentations',
      'n',
      'clips',
      'subjects',
      'APCER / BPCER',
      '95 %',
      'sent back',
      `accepted in ${TRIES} tries`,
      '95 %',
      `best of ${CHOICES} each`,
      'commonest reasons',
    ],
    ...worstFirst.map(({ own }) => line(own[0]!.species!, own, isAccepted)),
    line('bona fide', bonaFide, isRefused),
    ...(withKinds ? kindsOf(bonaFide) : []).map((kind) =>
      line(
        `bona fide: ${kind}`,
        bonaFide.filter((row) => row.kind === kind),
        isRefused,
      ),
    ),
  ];
}

/** By what species are sorted. */
function successOf(attacks: readonly JudgedRow[]): number {
  const { rate } = acceptedPerChallenge(attacks, CHOICES);
  return Number.isNaN(rate) ? shareOf(attacks, isAccepted).rate : rate;
}

function bonaFideRates(rows: readonly JudgedRow[]): Json {
  return {
    ...counted(rows),
    ...named('bpcer', shareOf(rows, isRefused)),
    sent_back: plain(shareOf(rows, isSentBack)),
    accepted: plain(shareOf(rows, isAccepted)),
    per_challenge: perChallenge(rows, 'accepted'),
  };
}

const isAccepted = ({ outcome }: JudgedRow): boolean => outcome === 'accepted';
const isRefused = ({ outcome }: JudgedRow): boolean => outcome === 'refused';
const isSentBack = ({ outcome }: JudgedRow): boolean => outcome === 'sentBack';

function speciesOf(rows: readonly JudgedRow[]): string[] {
  return [...new Set(rows.flatMap(({ species }) => species ?? []))].sort();
}

function kindsOf(rows: readonly JudgedRow[]): string[] {
  return [...new Set(rows.flatMap(({ kind }) => kind ?? []))].sort();
}

/** Number of distinct clips. A clip that is judged against several scripts counts as that many presentations. */
function clipsOf(rows: readonly JudgedRow[]): number {
  return new Set(rows.map(({ file }) => file)).size;
}

function counted(rows: readonly JudgedRow[]): Json {
  const subjects = new Set(rows.map(({ subject }) => subject)).size;
  return { n: rows.length, clips: clipsOf(rows), subjects };
}

function named(name: string, { rate, interval }: Pick<Rate, 'rate' | 'interval'>): Json {
  return { [name]: figure(rate), interval: interval.map(figure) };
}

function plain({ rate, interval }: Rate): Json {
  return named('rate', { rate, interval });
}

function perChallenge(rows: readonly JudgedRow[], name: string, choices = 1): Json {
  return { tries: TRIES, ...named(name, acceptedPerChallenge(rows, choices)) };
}

/** How many of the presentations whose script asks for a smile were found to smile. */
function smileRates(rows: readonly JudgedRow[]): Json {
  const asked = rows.filter(({ smileAsked }) => smileAsked);
  return {
    n: asked.length,
    ...named(
      'passed',
      shareOf(asked, ({ liveness }) => liveness?.smile ?? false),
    ),
  };
}

function tally(codes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** The three commonest reasons why presentations were not accepted, each with its count. */
export function mainReasons(rows: readonly JudgedRow[]): string {
  const counts = tally(rows.filter((row) => !isAccepted(row)).flatMap(({ reasons }) => reasons));
  const common = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return common
    .filter(([code]) => code !== 'no_script')
    .slice(0, 3)
    .map(([code, count]) => `${code} ${count}`)
    .join(', ');
}

/** JSON has no NaN, so null stands for it if nothing was counted. */
function figure(value: number): number | null {
  return Number.isNaN(value) ? null : Number(value.toFixed(5));
}

/** A share in per cent; a dash if nothing was counted. */
export const percent = (value: number): string =>
  Number.isNaN(value) ? '–' : `${(value * 100).toFixed(1)} %`;
/** An interval of shares, in per cent. */
export const spread = ([low, high]: readonly [number, number]): string =>
  `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}`;
