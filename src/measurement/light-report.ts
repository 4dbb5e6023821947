// The screen's light in an operator's own captures: how strong it is on people's skin, how reliably its code is found,
// and therefore what LIVENESS_LIGHT=require would have sent back.
import type { JudgedLight } from '../contract/judged-try.ts';
import { quantile } from '../evaluation/liveness/statistics.ts';

/** The last judged capture of one challenge. */
export interface LightRow {
  readonly passed: boolean;
  /** Null where no code was drawn. */
  readonly light: JudgedLight | null;
  /** Outcome of the check: passed, failed, or why it was not evaluated; null if it was not made. */
  readonly outcome: string | null;
}

type Match = NonNullable<JudgedLight['match']>;

const QUANTILES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95] as const;
const SWINGS = [0.0025, 0.005, 0.01, 0.02] as const;
const RANKS = [0.0001, 0.001, 0.01, 0.05] as const;

export interface LightReport {
  readonly captures: number;
  /** Captures whose page reports that it showed a code, or reports nothing. The shares below refer to these. */
  readonly shown: number;
  /** Outcomes of the check over all captures. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Share of the shown that `require` would have sent back; null if no code was shown. */
  readonly sentBackIfRequired: number | null;
  readonly quantiles: readonly ({ readonly share: number } & Readonly<
    Record<'swing' | 'error' | 'z' | 'delayMs', number>
  >)[];
  /** Share of the shown with a swing below each. */
  readonly swingBelow: readonly { readonly swing: number; readonly share: number }[];
  /** Share of the shown whose rank is at most each. */
  readonly rankAtMost: readonly { readonly p: number; readonly share: number }[];
}

/**
 * Summarises the light in these captures.
 * @param rows captures of genuine people, as far as is known; the caller leaves out refused ones
 */
export function lightReport(rows: readonly LightRow[]): LightReport {
  const shown = rows.filter(({ light }) => light && (light.shown === null || light.shown === 'shown'));
  const matches = shown.flatMap(({ light }) => light?.match ?? []);
  const share = (has: (match: Match) => boolean) => matches.filter(has).length / shown.length;
  const at = (each: number, of: (match: Match) => number) => quantile(matches.map(of), each);
  const outcomes: Record<string, number> = {};
  for (const { outcome } of rows)
    outcomes[outcome ?? 'not_made'] = (outcomes[outcome ?? 'not_made'] ?? 0) + 1;
  const found = shown.filter(({ outcome }) => outcome === 'passed').length;
  const measured = matches.length > 0;
  return {
    captures: rows.length,
    shown: shown.length,
    outcomes,
    sentBackIfRequired: shown.length > 0 ? 1 - found / shown.length : null,
    quantiles: (measured ? QUANTILES : []).map((each) => ({
      share: each,
      swing: at(each, ({ amplitude }) => amplitude),
      error: at(each, ({ error }) => error),
      z: at(each, ({ z }) => z),
      delayMs: at(each, ({ delay_ms }) => delay_ms),
    })),
    swingBelow: (measured ? SWINGS : []).map((swing) => ({
      swing,
      share: share(({ amplitude }) => amplitude < swing),
    })),
    rankAtMost: (measured ? RANKS : []).map((p) => ({ p, share: share((match) => match.p <= p + 1e-9) })),
  };
}

const percent = (value: number, digits = 2) => `${(100 * value).toFixed(digits)} %`;

/** The report as tables for people; each table is a list of rows. */
export function lightTables(report: LightReport): { heading: string; rows: string[][] }[] {
  const { captures, shown, outcomes, sentBackIfRequired, quantiles, swingBelow, rankAtMost } = report;
  const required = sentBackIfRequired === null ? '–' : percent(sentBackIfRequired, 1);
  const summary = {
    heading: '',
    rows: [
      ['captures', String(captures)],
      ['code shown', String(shown)],
      ['require would have sent back', required],
      ...Object.entries(outcomes).map(([outcome, count]) => [`outcome ${outcome}`, String(count)]),
    ],
  };
  if (quantiles.length === 0) return [summary];
  return [
    summary,
    {
      heading: 'Captures whose skin could be measured (quantiles, each column separately)',
      rows: [
        ['below', 'swing', 'error', 'z', 'delay'],
        ...quantiles.map(({ share, swing, error, z, delayMs }) => [
          ...[percent(share, 0), percent(swing), percent(error), z.toFixed(1)],
          `${Math.round(delayMs)} ms`,
        ]),
      ],
    },
    {
      heading: 'Share of the captures that were shown a code',
      rows: [
        ...swingBelow.map(({ swing, share }) => [`swing below ${percent(swing)}`, percent(share, 1)]),
        ...rankAtMost.map(({ p, share }) => [`p at most ${p}`, percent(share, 1)]),
      ],
    },
  ];
}
