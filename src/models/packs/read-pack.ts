// Reads and checks the manifest and calibration in a recogniser pack's folder. No network is opened here, because the
// API process needs only the id.
import { join, resolve } from 'node:path';
import { Fault } from '../../base/errors.ts';
import { NOT_STATED } from '../source.ts';
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
  /** How it was asked for: a built-in pack's name, a path, or several joined by `+`. */
  readonly setting: string;
  /** Folder of its manifest; for a fusion, that of its first part. */
  readonly folder: string;
  readonly manifest: PackManifest;
  /** Folder of the file of each of the manifest's networks. */
  readonly networkFolders: readonly string[];
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

/** Separates the packs of a fusion in a setting: `mobilefacenet+./other`. */
const FUSED_WITH = '+';
/** As many networks as a manifest may name. */
const MAX_NETWORKS = 4;

/**
 * Reads a pack by the name of a built-in one, or by the path of a folder (anything with a slash). Several, joined by
 * `+`, are a fusion: a pack of all their networks, with the weights in their manifests and without a calibration of its
 * own.
 * @throws Fault PACK_MISSING if there is no manifest, PACK_INVALID if it is not valid, CALIBRATION_INVALID likewise.
 */
export function readPack(nameOrPath: string, modelsDir: string): RecogniserPack {
  const parts = nameOrPath.split(FUSED_WITH).map((part) => readOnePack(part.trim(), modelsDir));
  const pack = parts.length === 1 ? parts[0]! : fusionOf(parts, nameOrPath);
  const { networks } = pack.manifest;
  if (embeddingSizeOf(pack.manifest) > MAX_EMBEDDING_SIZE || networks.length > MAX_NETWORKS)
    throw new Fault(
      'PACK_INVALID',
      `${nameOrPath}: more than ${MAX_NETWORKS} networks, or embeddings of more than ${MAX_EMBEDDING_SIZE} values`,
    );
  return pack;
}

function readOnePack(nameOrPath: string, modelsDir: string): RecogniserPack {
  const folder = packFolder(nameOrPath, modelsDir);
  const manifest = readJson(PackManifest, join(folder, PACK_MANIFEST_FILE), 'PACK_INVALID');
  if (manifest === null) throw new Fault('PACK_MISSING', `no ${PACK_MANIFEST_FILE} in ${folder}`);
  return {
    id: packIdOf(manifest),
    setting: nameOrPath,
    folder,
    manifest,
    networkFolders: manifest.networks.map(() => folder),
    calibration: readCalibration(join(folder, CALIBRATION_FILE)),
  };
}

/** A fusion's calibration does not follow from those of its parts: the operator must measure it. */
function fusionOf(parts: readonly RecogniserPack[], setting: string): RecogniserPack {
  const manifest: PackManifest = {
    format: 1,
    name: 'fusion',
    description: `Fusion of ${parts.map(({ manifest }) => manifest.name).join(' and ')}.`,
    licence: parts.map(({ manifest }) => `${manifest.name}: ${manifest.licence}`).join('; '),
    training_data: parts
      .map(({ manifest }) => `${manifest.name}: ${manifest.training_data ?? NOT_STATED}`)
      .join('; '),
    networks: parts.flatMap(({ manifest }) => manifest.networks),
  };
  return {
    id: packIdOf(manifest),
    setting,
    folder: parts[0]!.folder,
    manifest,
    networkFolders: parts.flatMap(({ networkFolders }) => networkFolders),
    calibration: null,
  };
}

/** Which packs a deployment uses. */
export interface PackChoice {
  readonly modelsDir: string;
  /**
   * Names or folders, separated by commas: the first makes new templates, the others only compare with those made by
   * them.
   */
  readonly recognisers: string;
  /** A calibration file to use instead of the one in the folder of the pack that it names. */
  readonly calibrationFile?: string | undefined;
}

/**
 * Reads the chosen packs, the one for new templates first.
 * @throws Fault as {@link readPack}; CALIBRATION_INVALID also if the calibration file is missing or belongs to none of
 * the packs, which would then decide by other thresholds than their operator means.
 */
export function readPacks(choice: PackChoice): readonly RecogniserPack[] {
  const names = choice.recognisers.split(',').map((name) => name.trim());
  const packs = names.map((name) => readPack(name, choice.modelsDir));
  const { calibrationFile } = choice;
  if (!calibrationFile) return packs;
  const calibration = readCalibrationFile(calibrationFile);
  if (!packs.some((pack) => isFor(calibration, pack)))
    throw new Fault(
      'CALIBRATION_INVALID',
      `${calibrationFile} was made for ${calibration.pack}; in use: ${packs.map(({ id }) => id).join(', ')}`,
    );
  return packs.map((pack) => (isFor(calibration, pack) ? { ...pack, calibration } : pack));
}

/**
 * Reads one pack to be measured, with the calibration file if it belongs to this pack. @throws Fault as {@link
 * readPacks}.
 */
export function readMeasuredPack(
  nameOrPath: string,
  { modelsDir, calibrationFile }: Omit<PackChoice, 'recognisers'>,
): RecogniserPack {
  const pack = readPack(nameOrPath, modelsDir);
  const calibration = calibrationFile ? readCalibrationFile(calibrationFile) : null;
  return calibration && isFor(calibration, pack) ? { ...pack, calibration } : pack;
}

function isFor(calibration: PackCalibration, { id }: RecogniserPack): boolean {
  return calibration.pack.startsWith(`${id}.`);
}

function readCalibrationFile(path: string): PackCalibration {
  const calibration = readCalibration(resolve(path));
  if (!calibration) throw new Fault('CALIBRATION_INVALID', `no file ${path}`);
  return calibration;
}

/**
 * Null if there is no such file.
 * @throws Fault CALIBRATION_INVALID if it is not a calibration
 */
function readCalibration(path: string): PackCalibration | null {
  return readJson(PackCalibration, path, 'CALIBRATION_INVALID');
}
