// Every species of the laboratory, one entry each. Belongs here once the product asks for it: a library that follows the
// path's nearest piece, and a puppet that tints its picture by the light's code (a file beside these, and a line below).
import type { LaboratorySpecies } from '../laboratory.ts';
import { PEOPLE } from './people.ts';
import { PUPPETS } from './puppets.ts';
import { OLD_RECORDINGS } from './recordings.ts';
import { SPLICES } from './splices.ts';
import { TIME_LIES } from './times.ts';

export const LABORATORY: readonly LaboratorySpecies[] = [
  ...OLD_RECORDINGS,
  ...SPLICES,
  ...PUPPETS,
  ...TIME_LIES,
  ...PEOPLE,
];
