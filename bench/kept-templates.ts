// The people of FACES_DIR, and the templates that `likeness bench recognition` keeps of their files.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FileTemplate } from '../src/measurement/recognition/embedding-cache.ts';
import { readIdentities } from '../src/measurement/recognition/pairs-file.ts';

const facesDir = resolve(process.env.FACES_DIR ?? '../shared/faces');

/** Who is on which file. */
export function readFacesIdentities() {
  return readIdentities(['pairs/manifest.csv', 'spoof/manifest.csv'].map((path) => join(facesDir, path)));
}

/** What a pack made of a file of FACES_DIR. Throws where it was not kept in this folder. */
export function readKeptTemplate(cacheFolder: string, file: string): FileTemplate {
  const hash = createHash('sha256')
    .update(readFileSync(join(facesDir, file)))
    .digest('hex');
  return JSON.parse(readFileSync(join(cacheFolder, `${hash}.json`), 'utf8')) as FileTemplate;
}
