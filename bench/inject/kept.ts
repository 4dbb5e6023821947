// What stays in the published report when only some species were presented again: the others' rows, with the judgement
// that they are of.
import type { PublishedFile } from '../../src/lab/assurance/published-tables.ts';
import { NOT_AGAIN } from '../../src/lab/assurance/sources.ts';
import type { Section } from '../report.ts';
import type { Row } from './rows.ts';

/** A species whose rows are of an earlier judgement. */
interface Before {
  readonly species: string;
  readonly judgement: string;
  /** When that report was made. */
  readonly date: string;
}

/** What was published of species that have no new row. */
export function keptRows(published: readonly Row[], made: readonly Row[]): Row[] {
  const again = new Set(made.map(({ species }) => species));
  return published.filter(({ species }) => !again.has(species));
}

/** Those of the kept species that `judgement` did not judge, by what the published report says of them. */
export function beforeOf(kept: readonly Row[], report: PublishedFile, judgement: string): Before[] {
  const told = new Map(report.rows(NOT_AGAIN).map((cells) => [cells('species'), cells]));
  return [...new Set(kept.map(({ species }) => species))].flatMap((species) => {
    const cells = told.get(species);
    const of = cells?.('judgement') ?? report.judgement ?? '–';
    return of === judgement ? [] : [{ species, judgement: of, date: cells?.('date') ?? report.date ?? '–' }];
  });
}

export function beforeSection(before: readonly Before[]): Section {
  return {
    title: NOT_AGAIN,
    method: 'Their rows in all tables are of an earlier judgement than the others.',
    columns: ['species', 'judgement', 'date'],
    rows: before.map(({ species, judgement, date }) => [species, judgement, date]),
  };
}
