// Where tests find moving faces. Absent on most machines: such tests are then skipped by name, never passed.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(process.env.FACES_DIR ?? '../shared/faces');

/** True when FACES_DIR (default: ../shared/faces) holds footage. */
export const hasFaces = existsSync(join(folder, 'video', 'manifest.csv'));

/** A file of it. */
export function face(path: string): string {
  return join(folder, path);
}
