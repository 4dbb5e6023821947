// A hash of the code that made a kept result, so that a measurement does not reuse what other code made.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';

/**
 * What determines each kind of result, by path below src. A template depends on no liveness check. A judgement does not
 * depend on how FeatureIDs are stored. The contract defines the measures of a face and the scripts.
 */
const DECISIVE = {
  template: /^(compile-models|contract|evaluation|featid|models)\/(?!(.*\/)?(liveness|tables)\/)/,
  judgement: /^((compile-models|contract|evaluation|models)\/|lab\/pad-judge\.)/,
} as const;

const SOURCE = resolve(import.meta.dirname, '..');

/** Twelve hex digits of the hash of that code, as it runs (TypeScript or built). `source` is the folder that holds it. */
export async function hashOfCode(of: keyof typeof DECISIVE, source = SOURCE): Promise<string> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => DECISIVE[of].test(path))
    .sort();
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(await readFile(join(source, path)));
  return hash.digest('hex').slice(0, 12);
}
