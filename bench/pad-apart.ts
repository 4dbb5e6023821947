// Whether limits hold for people who had no part in them: fitted on the other persons, tested on the one left out.
import type { Cue } from '../src/evaluation/liveness/cue.ts';
import { refusingGates } from '../src/evaluation/liveness/fusion.ts';
import { PROMPT_ROWS } from '../src/evaluation/liveness/prompts.ts';
import { groupBy } from '../src/lab/group-by.ts';
import { shareOf } from '../src/lab/pad-rates.ts';
import { percent, spread } from '../src/lab/pad-report.ts';
import { isWithin, type Met } from './pad-people.ts';
import type { Section } from './report.ts';

const SMILE = PROMPT_ROWS.smile.cue;
/**
 * Gates whose limits are fitted. The others keep the product's verdict: their limits are part of the challenge or of its
 * bookkeeping, are those within which a take counts, are cosines of other persons' pairs, or are measured in no honest
 * take (three prompts after the first are none's).
 */
const FITTED = [
  'face_present',
  'one_face',
  'frontal',
  'sharpness',
  'face_in_view',
  'picture_kept',
  'picture_alive',
  'hard_cut',
  'cross_fade',
  'loop',
  'pad_pack',
  'freeze',
  'rigid',
  SMILE,
];
const NO_LIMITS: readonly number[] = FITTED.map(() => Number.NEGATIVE_INFINITY);
/** Sums of shares that differ by less are equal. */
const ROUNDING = 1e-9;

/** A presentation as the fit sees it. Where a gate passes at most its limit, values and limits are negative. */
export interface Presented {
  /** Null for honest takes. */
  readonly species: string | null;
  readonly subject: string;
  /** Whether it is accepted if the fitted gates have no limits. */
  readonly isOpen: boolean;
  /** What each fitted gate measured; infinite where it measured nothing. */
  readonly values: readonly number[];
  /** The product's limits. */
  readonly limits: readonly number[];
}

/** What the fit sees of judged presentations. */
export function presented(rows: readonly Met[]): Presented[] {
  const signs = FITTED.map((gate) =>
    signOf(rows.flatMap(({ cues }) => cues.filter(({ cue }) => cue === gate))),
  );
  return rows.map(({ species, subject, liveness, cues, heldSmile }) => {
    const measureOf = (cue: Cue) => (cue.cue === SMILE ? strengthOf(cue, heldSmile) : cue.value);
    const measures = FITTED.map((gate) => cues.find((cue) => cue.cue === gate && measureOf(cue) !== null));
    const others = cues.filter((cue) => !measures.includes(cue));
    return {
      species,
      subject,
      isOpen: liveness !== null && refusingGates(others).length === 0,
      values: measures.map((cue, i) => (cue ? signs[i]! * measureOf(cue)! : Number.POSITIVE_INFINITY)),
      limits: measures.map((cue, i) => (cue ? signs[i]! * cue.threshold! : Number.NEGATIVE_INFINITY)),
    };
  });
}

/** The strength that decided about smiles; null if something else did. */
function strengthOf({ status }: Cue, heldSmile: number | null): number | null {
  return heldSmile !== null && (status === 'passed') === heldSmile >= 1 ? heldSmile : null;
}

/** 1 for a gate that passes at least its limit, -1 for one that passes at most that. */
function signOf(cues: readonly Cue[]): 1 | -1 {
  const telling = cues.find(({ value, threshold }) => value !== threshold);
  return !telling || (telling.status === 'passed') === telling.value! > telling.threshold! ? 1 : -1;
}

/** Whether all gates hold at these limits. */
export function accepts({ isOpen, values }: Presented, limits: readonly number[]): boolean {
  return isOpen && values.every((value, gate) => value >= limits[gate]!);
}

/** The limits with the least sum of the share of honest takes refused and the mean share of a species accepted. */
export function fit(rows: readonly Presented[]): number[] {
  const costs = costsOf(rows);
  const limits = [...NO_LIMITS];
  const errors = () => rows.reduce((sum, row, i) => sum + (accepts(row, limits) ? 0 : costs[i]!), 0);
  let [before, now] = [Number.POSITIVE_INFINITY, errors()];
  while (now < before - ROUNDING) {
    for (const gate of FITTED.keys()) limits[gate] = bestLimit(rows, costs, limits, gate);
    [before, now] = [now, errors()];
  }
  return limits;
}

/** What it costs to refuse each row: less than nothing for an attack. */
function costsOf(rows: readonly Presented[]): number[] {
  const counts = new Map<string | null, number>();
  for (const { species } of rows) counts.set(species, (counts.get(species) ?? 0) + 1);
  const speciesCount = [...counts.keys()].filter((species) => species !== null).length;
  return rows.map(({ species }) => (species === null ? 1 : -1 / speciesCount) / counts.get(species)!);
}

/** The best limit of one gate while the others keep theirs; of equally good ones the most open. */
function bestLimit(
  rows: readonly Presented[],
  costs: readonly number[],
  limits: readonly number[],
  gate: number,
): number {
  const open = limits.with(gate, Number.NEGATIVE_INFINITY);
  const sorted = rows
    .map((row, i) => ({ value: row.values[gate]!, cost: accepts(row, open) ? costs[i]! : 0 }))
    .filter(({ value }) => value < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.value - other.value);
  let best = { limit: Number.NEGATIVE_INFINITY, sum: 0 };
  let sum = 0;
  for (const [i, { value, cost }] of sorted.entries()) {
    sum += cost;
    const next = sorted[i + 1]?.value ?? value;
    if (next > value && sum < best.sum - ROUNDING) best = { limit: (value + next) / 2, sum };
  }
  return best.limit;
}

/** One fold for each honest person, with the attacks on that face; attacks on other faces are dealt out in turn. */
export function foldsOf(rows: readonly Presented[]): Presented[][] {
  const subjectsOf = (own: readonly Presented[]) => [...new Set(own.map(({ subject }) => subject))].sort();
  const persons = subjectsOf(rows.filter(({ species }) => species === null));
  const others = subjectsOf(rows).filter((subject) => !persons.includes(subject));
  const dealt = new Map(others.map((subject, i) => [subject, persons[i % persons.length]]));
  return persons.map((person) => rows.filter(({ subject }) => (dealt.get(subject) ?? subject) === person));
}

/** One row for each choice of limits. */
export function apartSection(title: string, judged: readonly Met[]): Section {
  const rows = presented(judged.filter((row) => row.species !== null || isWithin(row)));
  const all = fit(rows);
  const apart = foldsOf(rows).flatMap((own) => {
    const limits = fit(rows.filter((row) => !own.includes(row)));
    return own.map((row) => ({ ...row, accepted: accepts(row, limits) }));
  });
  const at = (limitsOf: (row: Presented) => readonly number[]) =>
    rows.map((row) => ({ ...row, accepted: accepts(row, limitsOf(row)) }));
  const named = FITTED.map((gate, i) => [gate, Math.abs(all[i]!)] as const);
  return {
    title: `${title}: persons held apart`,
    method:
      `Honest takes within the limits, and all attacks of any level. Fitted: limits of ${FITTED.join(', ')}; together, for ` +
      'the least sum of the share of honest takes refused and the mean over species of the share of attacks accepted, one ' +
      'gate at a time from no limit at all. As many folds as honest persons, each with the attacks on that face and its ' +
      'share of other faces. Not fitted: how these measure, and what is too dark, too far or too still to be measured. The ' +
      'rest keep the product’s verdict; for what counts as rest or as a turn nobody is held apart. A smile’s limit is on ' +
      'all its signs together, of which 1 is the product’s. Such a fit also learns what tells rendered attacks from clips ' +
      'of people: it shows how far few persons carry, not better limits.',
    columns: [
      'limits',
      'honest takes',
      'persons',
      'first try',
      '95 %',
      'attacks',
      'subjects',
      'accepted',
      '95 %',
      'mean over species',
    ],
    rows: [
      ['the product’s limits', ...cells(at(({ limits }) => limits))],
      ['none of them', ...cells(at(() => NO_LIMITS))],
      ['fitted on all persons, tested on the same', ...cells(at(() => all))],
      ['fitted on the others, tested on the person left out', ...cells(apart)],
    ],
    notes: [
      `Fitted on all: ${named.flatMap(([gate, limit]) => (limit < Infinity ? `${gate} ${limit.toPrecision(3)}` : [])).join(', ')}.`,
    ],
  };
}

function cells(rows: readonly (Presented & { readonly accepted: boolean })[]): string[] {
  const of = (own: typeof rows) => shareOf(own, ({ accepted }) => accepted);
  const attacks = rows.filter(({ species }) => species !== null);
  const rates = groupBy(attacks, ({ species }) => species!).map((own) => of(own).rate);
  const shares = [of(rows.filter(({ species }) => species === null)), of(attacks)].flatMap(
    ({ n, subjects, rate, interval }) => [`${n}`, `${subjects}`, percent(rate), spread(interval)],
  );
  return [...shares, percent(rates.reduce((sum, rate) => sum + rate, 0) / rates.length)];
}
