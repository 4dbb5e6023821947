// Decides which presentation comes next: one take of every species before the next take of any, so that an interrupted
// run has equally many of each.
import type { LaboratorySpecies, Way } from './laboratory.ts';
import { keyOf, type Row } from './rows.ts';

/** One presentation to make. */
export interface Planned {
  readonly species: string;
  readonly take: number;
  readonly way: Way;
}

/** One in this many takes also goes through the page in real Chromium, which occupies a whole processor. */
const PAGE_EVERY = 8;

/** The ways in which take `take` is presented: the cheapest, and for a share of the takes the page as well. */
export function waysOf(species: Pick<LaboratorySpecies, 'client' | 'inTime' | 'page'>, take: number): Way[] {
  const byPage = species.page && (take % PAGE_EVERY === 0 || !species.client);
  return [
    ...(species.client ? (['client'] as const) : []),
    ...(species.inTime ? (['in_time'] as const) : []),
    ...(byPage ? (['camera'] as const) : []),
  ];
}

/** The presentations still to make out of `each` takes of every species, in order. */
export function planned(
  all: readonly LaboratorySpecies[],
  each: number,
  ways: ReadonlySet<Way>,
  version: string,
  made: readonly Row[],
): Planned[] {
  const known = new Set(made.map(keyOf));
  const plan: Planned[] = [];
  for (let take = 0; take < each; take++)
    for (const species of all)
      for (const way of waysOf(species, take)) {
        const next = { species: species.name, take, way };
        if (ways.has(way) && !known.has(keyOf({ ...next, version }))) plan.push(next);
      }
  return plan;
}
