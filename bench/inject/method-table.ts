// The table of every method of injection with every instrument (CEN/TS 18099), that of the takes that instruments are
// made from, and how tables write a rate.
import type { Interval } from '../../src/lab/intervals.ts';
import { type Rate, shareOf } from '../../src/lab/pad-rates.ts';
import { PUBLIC_TAKES } from '../attacks/sources.ts';
import type { Section } from '../report.ts';
import type { LaboratorySpecies, Way } from './laboratory.ts';
import { type Row, subjectOf } from './rows.ts';
import { searching } from './species/searching.ts';
import { OF_TAKES } from './species/takes.ts';

/** Also lists what has not been presented. `rows`: of every way, including that of prompts just in time. */
export function methodTable(all: readonly LaboratorySpecies[], rows: readonly Row[]): Section {
  const cells = all
    .filter(({ label }) => label === 'attack')
    .flatMap((species) =>
      waysFor(species).map((way) => {
        const own = rows.filter((row) => row.species === species.name && row.way === way);
        return { way, species: species.name, accepted: shareOf(own, ({ result }) => result === 'pass') };
      }),
    )
    // The worst first, and last what was not presented.
    .sort((one, other) => orderOf(other.accepted) - orderOf(one.accepted));
  return {
    title: 'By method and instrument',
    method:
      'Accepted in three tries, by the way into the service (the method of injection) and by what is injected (the ' +
      'instrument). The page takes a whole processor: where there is also a client, at most every eighth presentation ' +
      'goes through it.',
    columns: ['method', 'instrument', 'n', 'subjects', 'APCER', '95 %'],
    rows: cells.map(({ way, species, accepted: { n, subjects, rate, interval } }) => [
      way,
      species,
      String(n),
      String(subjects),
      ...(n === 0 ? ['–', '–'] : [percent(rate), spread(interval)]),
    ]),
  };
}

/** What passes with takes of real people, and what with those of rendered ones: both are presented in turn. */
export function takesTable(rows: readonly Row[]): Section {
  const people = new Set(PUBLIC_TAKES.map(([name]) => subjectOf(name)));
  const isReal = ({ subject }: Row) => people.has(subject);
  return {
    title: 'Attacks with takes of real people and of rendered ones',
    method: 'Accepted in three tries. Real: of a person in a public clip.',
    columns: ['species', 'take', 'n', 'subjects', 'accepted', 'APCER', '95 %'],
    rows: [...OF_TAKES, ...searching(OF_TAKES)].flatMap(({ name }) =>
      ([true, false] as const).flatMap((real) => {
        const own = rows.filter((row) => row.species === name && isReal(row) === real);
        const { n, subjects, count, rate, interval } = shareOf(own, ({ result }) => result === 'pass');
        const counted = [String(n), String(subjects), String(count), percent(rate), spread(interval)];
        return n === 0 ? [] : [[name, real ? 'real' : 'rendered', ...counted]];
      }),
    ),
  };
}

const orderOf = ({ n, rate }: Rate): number => (n === 0 ? -1 : rate);

/** The ways in which a species can be presented. */
export function waysFor({ client, inTime, page }: LaboratorySpecies): Way[] {
  return [
    ...(client ? (['client'] as const) : []),
    ...(inTime ? (['in_time'] as const) : []),
    ...(page ? (['camera'] as const) : []),
  ];
}

export const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
export const spread = ([low, high]: Interval): string =>
  `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}`;
