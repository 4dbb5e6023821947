// Footage of faces for tests: the folder FACES_DIR (never part of the project). Without it, tests are skipped and say so.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const projectRoot = resolve(import.meta.dirname, '..', '..');

/** Folder of public photographs and clips; relative to the project root. */
export const FACES_DIR = resolve(projectRoot, process.env.FACES_DIR ?? '../shared/faces');

/** Whether the folder is there: `describe.skipIf(!HAS_FACES)` with a title that says so. */
export const HAS_FACES = existsSync(FACES_DIR);

/** Path of one file of the folder. */
export function facePath(relative: string): string {
  return resolve(FACES_DIR, relative);
}
