// Attacks by whoever says that the person cannot turn the head, smile, or either: fewer answers to give.
import { ACCESSIBLE_WAYS, type AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { LaboratorySpecies } from '../laboratory.ts';

/** Names of the species that are presented so: a film of the victim, one photograph and two. */
const PRESENTED: ReadonlySet<string> = new Set(['old_recording', 'warped_photo_100_ms', 'puppet_100_ms']);
const CANNOT: Readonly<Record<AccessibleWay, string>> = {
  without_turns: 'turn the head',
  without_smile: 'smile',
  passive: 'turn the head or smile',
};

/** Those of the species that are presented so, once for each way. */
export function leavingOut(all: readonly LaboratorySpecies[]): LaboratorySpecies[] {
  const presented = all.filter(({ name }) => PRESENTED.has(name));
  return ACCESSIBLE_WAYS.flatMap((way) =>
    presented.map(({ inTime: _, page: __, ...species }) => ({
      ...species,
      name: `${way}_${species.name}`,
      does: `says that the person cannot ${CANNOT[way]}; ${species.does}`,
      client: { ...species.client!, leavesOut: way },
    })),
  );
}
