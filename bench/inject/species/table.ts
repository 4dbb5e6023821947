// Every species of the laboratory, one entry per kind.
import type { LaboratorySpecies } from '../laboratory.ts';
import { leavingOut } from './left-out.ts';
import { PEOPLE } from './people.ts';
import { PUPPETS } from './puppets.ts';
import { OLD_RECORDINGS } from './recordings.ts';
import { searching } from './searching.ts';
import { SPLICES } from './splices.ts';
import { OF_TAKES } from './takes.ts';
import { withoutDevice } from './without-device.ts';

const LEAVING_OUT = leavingOut([...OLD_RECORDINGS, ...PUPPETS]);

export const LABORATORY: readonly LaboratorySpecies[] = [
  ...OLD_RECORDINGS,
  ...SPLICES,
  ...OF_TAKES,
  ...PUPPETS,
  ...LEAVING_OUT,
  ...searching([...OF_TAKES, ...PUPPETS]),
  ...withoutDevice([...SPLICES, ...OF_TAKES, ...PUPPETS, ...LEAVING_OUT]),
  ...PEOPLE,
];
