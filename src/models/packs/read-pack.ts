// A recogniser pack's folder → its manifest and calibration, checked. No network is opened here: the API process needs
// only the id.
import { join, resolve } from 'node:path';
import { Fault } from '../../base/errors.ts';
import { CALIBRATION_FILE, PackCalibration } from './calibration.ts';
import { embeddingSizeOf, PACK_MANIFEST_FILE, PackManifest, packIdOf } from './manifest.ts';
import { readJson } from './read-json.ts';

/** Name of the pack that a deployment uses unless it names others. */
export const DEFAULT_PACK = 'mobilefacenet';
/** The PAD pack that is used unless told otherwise. */
export const DEFAULT_PAD_PACK = 'minifasnet';
/** What stands in the place of a PAD pack's name where there is to be none. */
export const NO_PAD_PACK = 'none';

/** Folder of the packs that set-up compiles, below the models' own. */
export const PACKS_FOLDER = 'packs';

/** A pack as its folder declares it. */
export interface RecogniserPack {
  readonly id: string;
  readonly folder: string;
  readonly manifest: PackManifest;
  /** Null if there is none yet: such a pack can be measured, but not go live. */
  readonly calibration: PackCalibration | null;
}

/** The most values that a FeatureID's packed template has room for. */
const MAX_EMBEDDING_SIZE = 4096;

/** The folder of a built-in pack, by its name, or of one's own, by its path (anything with a slash). */
export function packFolder(nameOrPath: string, modelsDir: string): string {
  const builtIn = /^[a-z0-9][a-z0-9-]*$/.test(nameOrPath);
  return builtIn ? join(modelsDir, PACKS_FOLDER, nameOrPath) : resolve(nameOrPath);
}

/**
 * Reads a pack by the name of a built-in one, or by the path of a folder (anything with a slash).
 * @throws Fault PACK_MISSING when there is no manifest, PACK_INVALID when it is none, CALIBRATION_INVALID likewise.
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
    calibration: readCalibration(join(folder, CALIBRATION_FILE)),
  };
}

/** Which packs a deployment uses. */
export interface PackChoice {
  readonly modelsDir: string;
  /** Names or folders by comma: the first makes new templates, the others only compare with those made by them. */
  readonly recognisers: string;
  /** A calibration file to use instead of the one in the folder of the pack that it names. */
  readonly calibrationFile?: string | undefined;
}

/**
 * Reads the packs chosen, the one for new templates first.
 * @throws Fault as {@link readPack}; CALIBRATION_INVALID also when the calibration file is missing.
 */
export function readPacks(choice: PackChoice): readonly RecogniserPack[] {
  const names = choice.recognisers.split(',').map((name) => name.trim());
  const packs = names.map((name) => readPack(name, choice.modelsDir));
  if (!choice.calibrationFile) return packs;
  const calibration = readCalibration(resolve(choice.calibrationFile));
  if (!calibration) throw new Fault('CALIBRATION_INVALID', `no file ${choice.calibrationFile}`);
  return packs.map((pack) => (calibration.pack.startsWith(`${pack.id}.`) ? { ...pack, calibration } : pack));
}

/**
 * Reads a calibration file; null if there is none.
 * @throws Fault CALIBRATION_INVALID when it is no calibration.
 */
export function readCalibration(path: string): PackCalibration | null {
  return readJson(PackCalibration, path, 'CALIBRATION_INVALID');
}
