// The other files of a built-in pack: its manifest and, for a recogniser, its calibration.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ModelRecord } from '../models/manifest.ts';
import { CALIBRATION_FILE } from '../models/packs/calibration.ts';
import { PACK_MANIFEST_FILE } from '../models/packs/manifest.ts';
import { PACKS_FOLDER } from '../models/packs/read-pack.ts';
import type { BuiltInPack } from './built-in-packs.ts';

/** Figures made by `likeness bench recognition`. Data, so they stay in src/ even when the code runs from dist/. */
const CALIBRATIONS = resolve(import.meta.dirname, '..', '..', 'src', 'models', 'packs', 'calibrations');

/** The files to write, with paths below the models' folder. */
export async function packFiles(
  pack: BuiltInPack,
  records: readonly ModelRecord[],
): Promise<{ file: string; bytes: Buffer }[]> {
  const { name } = pack.manifest;
  const networks = pack.networks.map(({ model: { source }, spec }) => {
    const record = records.find(({ id }) => id === source.id);
    if (!record) throw new Error(`${name}: no compiled ${source.id}`);
    return { file: `${source.id}.onnx`, sha256: record.sha256, ...spec };
  });
  const manifest = { ...pack.manifest, networks };
  const folder = join(PACKS_FOLDER, name);
  const files = [
    {
      file: join(folder, PACK_MANIFEST_FILE),
      bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
    },
  ];
  if (pack.kind === 'pad') return files;
  const calibration = await readFile(join(CALIBRATIONS, `${name}.json`));
  return [...files, { file: join(folder, CALIBRATION_FILE), bytes: calibration }];
}
