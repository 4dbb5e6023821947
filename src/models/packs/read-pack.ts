// A recogniser pack's folder → its manifest and calibration, checked. No network is opened here: the API process needs
// only the id.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Fault, type FaultCode } from '../../base/errors.ts';
import { CALIBRATION_FILE, PackCalibration } from './calibration.ts';
import { PACK_MANIFEST_FILE, PackManifest, packIdOf } from './manifest.ts';

/** Folder of the packs that set-up compiles, below the models' own. */
export const PACKS_FOLDER = 'packs';

/** A pack as its folder declares it. */
export interface RecogniserPack {
  readonly id: string;
  readonly folder: string;
  readonly manifest: PackManifest;
  /** Null where none was made yet: such a pack can be measured, not gone live with. */
  readonly calibration: PackCalibration | null;
}

/** A manifest or a calibration is some kilobytes; hostile or mistaken files end here. */
const MAX_JSON_BYTES = 4_000_000;

/**
 * Reads a pack by the name of a built-in one, or by the path of a folder (whatever holds a slash).
 * @throws Fault PACK_MISSING when there is no manifest, PACK_INVALID when it is none, CALIBRATION_INVALID likewise.
 */
export async function readPack(nameOrPath: string, modelsDir: string): Promise<RecogniserPack> {
  const builtIn = /^[a-z0-9][a-z0-9-]*$/.test(nameOrPath);
  const folder = builtIn ? join(modelsDir, PACKS_FOLDER, nameOrPath) : resolve(nameOrPath);
  const manifestText = await readText(join(folder, PACK_MANIFEST_FILE));
  if (manifestText === null) throw new Fault('PACK_MISSING', `no ${PACK_MANIFEST_FILE} in ${folder}`);
  const manifest = parse(PackManifest, manifestText, join(folder, PACK_MANIFEST_FILE), 'PACK_INVALID');
  return {
    id: packIdOf(manifest),
    folder,
    manifest,
    calibration: await readCalibration(join(folder, CALIBRATION_FILE)),
  };
}

/**
 * Reads a calibration file; null where there is none.
 * @throws Fault CALIBRATION_INVALID when it is no calibration.
 */
export async function readCalibration(path: string): Promise<PackCalibration | null> {
  const text = await readText(path);
  return text === null ? null : parse(PackCalibration, text, path, 'CALIBRATION_INVALID');
}

async function readText(path: string): Promise<string | null> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MAX_JSON_BYTES) throw new Fault('PACK_INVALID', `${path} is too large`);
    return bytes.toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

function parse<const S extends TSchema>(schema: S, text: string, path: string, code: FaultCode) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Fault(code, `${path} is not JSON`, { cause });
  }
  const compiled = Compile(schema);
  const [error] = compiled.Errors(value);
  if (error) throw new Fault(code, `${path}: ${error.instancePath || '/'} ${error.message}`);
  return compiled.Parse(value);
}
