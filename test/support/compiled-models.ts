// The compiled models, once for all test files: under build/, in a folder named after a hash of the compiler, so that a
// change to it takes effect at once and a second run finds them ready.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compileModels } from '../../src/compile-models/compile.ts';
import { NODE_MODULES } from './published-networks.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'build', 'test-models');
const COMPILER = join(ROOT, 'src', 'models');

/**
 * Folder of the compiled models. Two test files that start together both compile; files appear by rename and are equal.
 */
export async function compiledModelsDir(): Promise<string> {
  const name = compilerStamp();
  const outDir = join(FOLDER, name);
  const compiled = await compileModels({ nodeModulesDir: NODE_MODULES, outDir });
  if (compiled.length > 0)
    for (const former of readdirSync(FOLDER))
      if (former !== name) rmSync(join(FOLDER, former), { recursive: true, force: true });
  return outDir;
}

function compilerStamp(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const file of readdirSync(COMPILER, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(ts|json)$/.test(file)) hash.update(file).update(readFileSync(join(COMPILER, file)));
  return hash.digest('hex').slice(0, 16);
}
