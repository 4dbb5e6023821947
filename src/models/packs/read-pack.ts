// Reads and checks the manifest and calibration in a recogniser pack's folder. No network is opened here, because the
// API process needs only the id.
import { join, resolve } from 'node:path';
import { Fault } from '../../base/errors.ts';
import { CALIBRATION_FILE, PackCalibration } from './calibration.ts';
import { embeddingSizeOf, PACK_MANIFEST_FILE, PackManifest, packIdOf } from './manifest.ts';
import { readJson } from './read-json.ts';

/** Name of the pack that a deployment uses unless it names others. */
export const DEFAULT_PACK = 'mobilefacenet';
/** Name of the PAD pack that a deployment uses unless it names another. */
export const DEFAULT_PAD_PACK = 'minifasnet';
/** Given instead of a PAD pack's name if there is to be none. */
export const NO_PAD_PACK = 'none';

/** Folder of the packs that set-up compiles, below the models' own. */
export const PACKS_FOLDER = 'packs';

/** A pack as its folder declares it. */
export interface RecogniserPack {
  readonly id: string;
  /** Folder of its manifest and of the files that it names. */
  readonly folder: string;
  readonly manifest: PackManifest;
  /** Null if there is none yet: such a pack can be measured, but not go live. */
  readonly calibration: PackCalibration | null;
}

/** The most values that a FeatureID's packed template can hold. */
const MAX_EMBEDDING_SIZE = 4096;

/** The folder of a built-in pack, by its name, or of an operator's own pack, by its path (anything with a slash). */
export function packFolder(nameOrPath: string, modelsDir: string): string {
  const builtIn = /^[a-z0-9][a-z0-9-]*$/.test(nameOrPath);
  return builtIn ? join(modelsDir, PACKS_FOLDER, nameOrPath) : resolve(nameOrPath);
}

/**
 * Reads a pack by the name of a built-in one, or by the path of a folder (anything with a slash).
 * @throws Fault PACK_MISSING if there is no manifest, PACK_INVALID if it is not valid, CALIBRATION_INVALID likewise.
 */
export function readPack(nameOrPath: string, modelsDir: string): RecogniserPack {
  const folder = packFolder(nameOrPath, modelsDir);
  const manifest = readJson(PackManifest, join(folder, PACK_MANIFEST_FILE), 'PACK_INVALID');
  if (manifest === null) throw new Fault('PACK_MISSING', `no ${PACK_MANIFEST_FILE} in ${folder}`);
  if (embeddingSizeOf(manifest) > MAX_EMBEDDING_SIZE)
    throw new Fault('PACK_INVALID', `${folder}: embeddings of more than ${MAX_EMBEDDING_SIZE} values`);
  return {
    id: packIdOf(manifest),
    folder,
    manifest,
    calibration: readJson(PackCalibration, join(folder, CALIBRATION_FILE), 'CALIBRATION_INVALID'),
  };
}
