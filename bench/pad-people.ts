// What honest people meet, by environment. Each take is placed by what was measured in it: within the limits that
// docs/liveness.md states, or beyond one of them, where being sent back is what is meant to happen.
import type { Gathered } from '../src/evaluation/gather.ts';
import { median } from '../src/evaluation/liveness/statistics.ts';
import { MAX_BURNT_SHARE, MIN_BRIGHTNESS } from '../src/evaluation/quality/pixels.ts';
import { MIN_TEMPLATE_EYE_DISTANCE_PX } from '../src/evaluation/quality/pose.ts';
import type { JudgedRow } from '../src/lab/pad-judge.ts';
import { acceptedPerChallenge, shareOf } from '../src/lab/pad-rates.ts';
import { mainReasons, percent, spread } from '../src/lab/pad-report.ts';
import { WEAR_GLASSES } from './attacks/sources.ts';
import type { heldSmile } from './pad-smiles.ts';
import type { Section } from './report.ts';

/** What was measured in a take: medians over the frames with a face. */
export interface Measured {
  /** Mean luma of the inner face, 0–255. */
  readonly luma: number;
  readonly eyeDistancePx: number;
  /** Share of burnt-out pixels in the inner face. */
  readonly burntShare: number;
}

/** A presentation and its conditions; null if no frame shows a face. */
export interface Met extends JudgedRow {
  readonly measured: Measured | null;
  /** See {@link heldSmile}. */
  readonly heldSmile: number | null;
}

/** What was measured; null if no frame shows a face. */
export function measure(gathered: Gathered): Measured | null {
  if (gathered.status !== 'gathered') return null;
  const { observations, selection } = gathered.evidence;
  const distances = observations.flatMap(({ face }) => face?.eyeDistancePx ?? []);
  const quality = selection.quality.filter((frame) => frame !== null);
  if (distances.length === 0 || quality.length === 0) return null;
  return {
    luma: median(quality.map(({ brightness }) => brightness)),
    eyeDistancePx: median(distances),
    burntShare: median(quality.map(({ burntShare }) => burntShare)),
  };
}

/** Whether a take is within the limits that docs/liveness.md states. */
export function isWithin({ measured }: Met): boolean {
  return (
    measured !== null &&
    measured.luma >= MIN_BRIGHTNESS &&
    measured.eyeDistancePx >= MIN_TEMPLATE_EYE_DISTANCE_PX &&
    measured.burntShare <= MAX_BURNT_SHARE
  );
}

/**
 * One row for all bona fide takes within the limits and one for all beyond; the same for those with glasses, and for
 * each environment.
 */
export function peopleSection(title: string, rows: readonly Met[]): Section {
  const met = rows.filter(({ species }) => species === null);
  const kinds = [...new Set(met.map(({ kind }) => kind))];
  const parts: readonly (readonly [name: string, own: readonly Met[]])[] = [
    ['all', met],
    ['with glasses', met.filter(({ subject }) => WEAR_GLASSES.has(subject))],
    ...kinds.map((kind) => [kind ?? '–', met.filter((row) => row.kind === kind)] as const),
  ];
  return {
    title: `${title}: what honest people meet`,
    method:
      `Within: the median face has a luma of at least ${MIN_BRIGHTNESS}, ${MIN_TEMPLATE_EYE_DISTANCE_PX} pixels from eye to eye ` +
      `and at most ${100 * MAX_BURNT_SHARE} % burnt out. Beyond: not so. In 3 tries: estimated, as if each try erred like any ` +
      'other take of the same person in the same environment; no estimate where each person has one take in each.',
    columns: [
      'environment',
      'limits',
      'n',
      'subjects',
      'luma',
      'eye distance',
      'first try',
      '95 %',
      'in 3 tries',
      '95 %',
      'refused for good',
      '95 %',
      'commonest reasons',
    ],
    rows: parts.flatMap(([name, part]) =>
      (['within', 'beyond'] as const).flatMap((limits) => {
        const own = part.filter((row) => isWithin(row) === (limits === 'within'));
        return own.length > 0 ? [line(name, limits, own)] : [];
      }),
    ),
  };
}

function line(name: string, limits: string, own: readonly Met[]): string[] {
  const first = shareOf(own, ({ outcome }) => outcome === 'accepted');
  const refused = shareOf(own, ({ outcome }) => outcome === 'refused');
  const inThree = acceptedPerChallenge(own);
  const range = (measure: keyof Measured) => {
    const values = own.flatMap(({ measured }) => measured?.[measure] ?? []);
    return values.length > 0 ? `${Math.round(Math.min(...values))}–${Math.round(Math.max(...values))}` : '–';
  };
  return [
    name,
    limits,
    String(first.n),
    String(first.subjects),
    range('luma'),
    range('eyeDistancePx'),
    percent(first.rate),
    spread(first.interval),
    percent(inThree.rate),
    Number.isNaN(inThree.rate) ? '–' : spread(inThree.interval),
    String(refused.count),
    spread(refused.interval),
    mainReasons(own),
  ];
}
