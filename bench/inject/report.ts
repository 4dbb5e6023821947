// Turns rows into the tables of bench/RESULTS-INJECT.md: what passes by species, worst first, and what bona fide people
// are told.
import { type Rate, shareOf } from '../../src/lab/pad-rates.ts';
import { median, type Section } from '../report.ts';
import { type LaboratorySpecies, WAYS, type Way } from './laboratory.ts';
import { methodTable, percent, spread, takesTable, waysFor } from './method-table.ts';
import type { Row } from './rows.ts';

const passed = ({ result }: Row): boolean => result === 'pass';
const passedFirst = (row: Row): boolean => passed(row) && row.tries.length === 1 && row.links === 1;

/** All sections; the rows must be of one version. */
export function sectionsOf(all: readonly LaboratorySpecies[], rows: readonly Row[]): Section[] {
  // A different setting of the service, so it gets its own table.
  const usual = rows.filter(({ way }) => way !== 'in_time');
  const attacks = ranked(all, usual, 'attack');
  const people = ranked(all, usual, 'bona_fide').flatMap(byWay);
  return [
    whatPasses(attacks),
    attackTable(attacks),
    takesTable(usual),
    methodTable(all, rows),
    inTimeTable(ranked(all, rows, 'attack')),
    bonaFideTable(people),
    reasonsTable(people),
    costTable(all, rows),
    speciesTable(all),
  ].filter(({ rows: lines }) => lines.length > 0);
}

interface Ranked {
  readonly species: LaboratorySpecies;
  readonly rows: readonly Row[];
  readonly accepted: Rate;
}

/** Species that have rows, those that pass most often first. */
function ranked(
  all: readonly LaboratorySpecies[],
  rows: readonly Row[],
  label: LaboratorySpecies['label'],
): Ranked[] {
  return all
    .filter((species) => species.label === label)
    .map((species) => ({ species, rows: rows.filter((row) => row.species === species.name) }))
    .filter((one) => one.rows.length > 0)
    .map((one) => ({ ...one, accepted: shareOf(one.rows, passed) }))
    .sort((one, other) => other.accepted.rate - one.accepted.rate);
}

interface ByWay extends Pick<Ranked, 'species' | 'rows'> {
  readonly way: Way;
}

/** A program answers as it likes, and the page waits for people: their rows are told apart. */
const byWay = ({ species, rows }: Ranked): ByWay[] =>
  WAYS.map((way) => ({ species, way, rows: rows.filter((row) => row.way === way) })).filter(
    (one) => one.rows.length > 0,
  );

function whatPasses(attacks: readonly Ranked[]): Section {
  const passing = attacks.filter(({ accepted }) => accepted.count > 0);
  return {
    title: 'What still passes',
    method:
      'Challenges passed by an attacker who can replace the camera with a program. Masks of silicone, resin or paper ' +
      'and puppets of film studios were not available, so nothing is known about them.',
    columns: ['the attacker has', 'and does this', 'passed'],
    rows: passing.map(({ species, accepted }) => [
      species.holds,
      species.does,
      `${accepted.count} of ${accepted.n}`,
    ]),
  };
}

function attackTable(attacks: readonly Ranked[]): Section {
  return {
    title: 'Attacks',
    method:
      'APCER: share of challenges that were accepted, after at most three tries and at the first. 95 % intervals: the ' +
      "wider of Wilson's over presentations and a bootstrap over subjects.",
    columns: [
      'species',
      'n',
      'subjects',
      'APCER',
      '95 %',
      'APCER at the first try',
      '95 %',
      'commonest reasons',
    ],
    rows: attacks.map(({ species, rows, accepted }) => {
      const first = shareOf(rows, passedFirst);
      return [
        species.name,
        String(accepted.n),
        String(accepted.subjects),
        percent(accepted.rate),
        spread(accepted.interval),
        percent(first.rate),
        spread(first.interval),
        commonest(
          rows.filter((row) => !passed(row)),
          ({ reasons }) => reasons,
        ),
      ];
    }),
  };
}

/** What it costs the attacker that no step is known before the answer to the previous one was announced. */
function inTimeTable(attacks: readonly Ranked[]): Section {
  const lines = attacks.flatMap(({ species, rows }) => {
    const atOnce = rows.filter(({ way }) => way === 'client');
    const inTime = rows.filter(({ way }) => way === 'in_time');
    if (inTime.length === 0) return [];
    const cells = (own: readonly Row[]) => {
      if (own.length === 0) return ['–', '–', '–'];
      const { count, n, interval } = shareOf(own, passed);
      const links = own.reduce((sum, row) => sum + row.links, 0) / own.length;
      return [`${count} of ${n}`, spread(interval), links.toFixed(1)];
    };
    const told = (row: Row) => [...row.reasons, ...row.tries.map((tried) => tried.told)];
    const why = commonest(
      inTime.filter((row) => !passed(row)),
      (row) => told(row).filter((reason) => reason !== 'done'),
    );
    return [[species.name, ...cells(atOnce), ...cells(inTime), why]];
  });
  return {
    title: 'Prompts at once and just in time',
    method:
      'Accepted from a program that asks for the whole script before it films, as a page on a slow network does, and ' +
      'from the same program if the service requires prompts to be handed out just in time: two steps are known when ' +
      'it chooses, and each further step once what came before it has been announced. A camera in the real page also ' +
      'learns its prompts just in time: `camera` in the table by method.',
    columns: [
      'species',
      'at once',
      '95 %',
      'links',
      'just in time',
      '95 %',
      'links',
      'commonest reasons, just in time',
    ],
    rows: lines,
  };
}

function bonaFideTable(people: readonly ByWay[]): Section {
  return {
    title: 'Bona fide',
    method:
      'BPCER: share of challenges that were not accepted. Rendered persons are not people: the figures show ' +
      'that the judgement accepts an honest answer, not how well people do.',
    columns: [
      'presentations',
      'method',
      'n',
      'subjects',
      'BPCER in three tries',
      '95 %',
      'at the first try',
      '95 %',
      'link to result, s (median)',
    ],
    rows: people.map(({ species, way, rows }) => {
      const refused = shareOf(rows, (row) => !passed(row));
      const first = shareOf(rows, (row) => !passedFirst(row));
      return [
        species.name,
        way,
        String(refused.n),
        String(refused.subjects),
        percent(refused.rate),
        spread(refused.interval),
        percent(first.rate),
        spread(first.interval),
        seconds(rows.map(({ tookMs }) => tookMs)),
      ];
    }),
  };
}

function reasonsTable(people: readonly ByWay[]): Section {
  const lines = people.flatMap(({ species, way, rows }) =>
    [0, 1, 2].flatMap((tried) => {
      const own = rows.filter(({ tries }) => tries.length > tried);
      if (own.length === 0) return [];
      const accepted = own.filter((row) => passed(row) && row.tries.length === tried + 1).length;
      const told = commonest(own, ({ tries }) => (tries[tried]!.told === 'done' ? [] : [tries[tried]!.told]));
      const refused = own.filter((row) => !passed(row) && row.tries.length === tried + 1);
      return [
        [
          species.name,
          way,
          String(tried + 1),
          String(own.length),
          String(accepted),
          told,
          commonest(refused, ({ reasons }) => reasons),
        ],
      ];
    }),
  );
  return {
    title: 'What people were told, by try',
    method:
      'Reasons to try again, as the page gives them; for final failures, the reasons that only the integrator sees.',
    columns: ['presentations', 'method', 'try', 'n', 'accepted', 'told to try again', 'final failure'],
    rows: lines,
  };
}

function speciesTable(all: readonly LaboratorySpecies[]): Section {
  return {
    title: 'The species',
    method:
      'Ways: a program that speaks the capture API (client, in_time), a script that replaces getUserMedia (camera).',
    columns: ['species', 'kind', 'has', 'does', 'ways'],
    rows: all.map((species) => [
      species.name,
      species.label === 'attack' ? 'attack' : 'bona fide',
      species.holds,
      species.does,
      waysFor(species).join(', '),
    ]),
  };
}

/** How long presentations take, and which species have not been presented yet. */
function costTable(all: readonly LaboratorySpecies[], rows: readonly Row[]): Section {
  const unseen = all.filter(({ name }) => !rows.some((row) => row.species === name)).map(({ name }) => name);
  const searching = new Set(all.flatMap(({ name, client }) => (client?.stopsClock ? [name] : [])));
  const notes = unseen.length > 0 ? [`Not presented yet: ${unseen.join(', ')}.`] : [];
  return {
    title: 'How much was measured',
    method:
      'A film that is not ready within 4 s of its script proves nothing and is not counted, so a busy machine measures ' +
      'fewer; but the clock of a capture stands still while an attacker searches (`searching_`), as if there were a ' +
      'processor for each film. Times, of the others: from the drawing of a script to the commit of its film, and from ' +
      'the link to the result.',
    columns: ['way', 'n', 'tries', 'script to commit, s (median)', 'link to result, s (median)'],
    rows: WAYS.flatMap((way) => {
      const own = rows.filter((row) => row.way === way);
      if (own.length === 0) return [];
      const tries = own.flatMap((row) => row.tries);
      const timed = own.filter(({ species }) => !searching.has(species));
      const filmed = timed.flatMap((row) => row.tries.flatMap(({ filmedMs }) => filmedMs ?? []));
      return [
        [
          way,
          String(own.length),
          String(tries.length),
          seconds(filmed),
          seconds(timed.map(({ tookMs }) => tookMs)),
        ],
      ];
    }),
    notes,
  };
}

const seconds = (timesMs: readonly number[]): string =>
  timesMs.length === 0 ? '–' : (median(timesMs) / 1000).toFixed(1);

function commonest(rows: readonly Row[], reasonsOf: (row: Row) => readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of rows.flatMap(reasonsOf)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map((pair) => pair.join(' '))
    .join(', ');
}
