// The recogniser packs of this deployment.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { type RecogniserPack, readPack } from '../models/packs/read-pack.ts';

/** Folder of the older packs, below DATA_DIR. */
const OLDER_PACKS = 'packs';

/**
 * Reads the packs in use: RECOGNISER_PACK, which makes new templates, and those in the folder `packs` of DATA_DIR, which
 * only compare with FeatureIDs that they made.
 * @throws Fault as {@link readPack}
 */
export function readPacksInUse({ RECOGNISER_PACK, modelsDir, dataDir }: Config): RecogniserPack[] {
  const packs = [readPack(RECOGNISER_PACK, modelsDir)];
  for (const folder of foldersIn(join(dataDir, OLDER_PACKS))) {
    const pack = readPack(folder, modelsDir);
    // The folder may also contain the one in use.
    if (packs.every(({ id }) => id !== pack.id)) packs.push(pack);
  }
  return packs;
}

/** Folders, and links to some, by name; none if there is no such folder. */
function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => join(path, name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
