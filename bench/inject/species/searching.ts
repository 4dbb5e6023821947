// Attackers who make several films for each script, judge them with this same software, and send the best.
import type { LaboratorySpecies } from '../laboratory.ts';
import { bestFilm } from './offline-judge.ts';

/** Films for each of the three tries, as many as the old recordings that an attacker chooses among. */
const FILMS = 6;
/** Names of the species that are presented so: whoever has some seconds of the victim, or lays one face over another. */
const PRESENTED: ReadonlySet<string> = new Set([
  'take_cuts',
  'action_library_rest',
  'pose_grid',
  'warped_footage',
  'live_swap',
]);

/** Those of the species that are presented so. */
export function searching(all: readonly LaboratorySpecies[]): LaboratorySpecies[] {
  return all.flatMap(({ inTime: _, page: __, ...species }) => {
    const { client } = species;
    if (!client || !PRESENTED.has(species.name)) return [];
    return [
      {
        ...species,
        name: `searching_${species.name}`,
        holds: `${species.holds}, and this same software`,
        does: `${species.does}; makes ${FILMS} films for each try, judges them, and sends the best`,
        client: {
          ...client,
          stopsClock: true,
          film: (stage, call) => bestFilm(stage, async () => (await client.film(stage, call))!, FILMS),
        },
      },
    ];
  });
}
