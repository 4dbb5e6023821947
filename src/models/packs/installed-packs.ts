// Packs in an operator's folder: installed completely or not at all, tried, verified, removed.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '../../base/errors.ts';
import { CALIBRATION_FILE } from './calibration.ts';
import { type KnownPack, knownPack } from './known-packs.ts';
import { loadRecogniser } from './load-recogniser.ts';
import { PACK_MANIFEST_FILE } from './manifest.ts';
import { type OpenNetwork, readNetwork } from './open-network.ts';
import { loadPad } from './pad-pack.ts';
import { readPack } from './read-pack.ts';

/** Data, so it stays in src/ even when the code runs from dist/. */
const CALIBRATIONS = resolve(import.meta.dirname, '..', '..', '..', 'src', 'models', 'packs', 'calibrations');

/** SHA-256 in lower-case hex. */
function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Writes the pack beside its place, tries it there, and moves it in. `files` are those of its networks, in order.
 * @throws Fault PACK_CORRUPT if a file is not the published one, PACK_INVALID if it does not work; nothing is left
 * behind.
 */
export async function installPack(
  folder: string,
  known: KnownPack,
  files: readonly Uint8Array[],
): Promise<string> {
  const { name } = known.manifest;
  for (const [at, { bytes, spec }] of known.networks.entries()) {
    const file = files[at]!;
    if (file.length !== bytes || sha256Of(file) !== spec.sha256)
      throw new Fault(
        'PACK_CORRUPT',
        `${spec.file} has ${file.length} bytes and SHA-256 ${sha256Of(file)}; the published file has ${bytes} bytes and ${spec.sha256}`,
      );
  }
  const place = join(folder, name);
  const temporary = join(folder, `.${name}.${process.pid}.tmp`);
  await mkdir(temporary, { recursive: true });
  try {
    for (const [at, { spec }] of known.networks.entries())
      await writeFile(join(temporary, spec.file), files[at]!);
    const manifest = { ...known.manifest, networks: known.networks.map(({ spec }) => spec) };
    await writeFile(join(temporary, PACK_MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    if (known.kind === 'recogniser' && known.isCalibrated)
      await writeFile(join(temporary, CALIBRATION_FILE), await readFile(join(CALIBRATIONS, `${name}.json`)));
    await tryPack(temporary, known.kind);
    await rename(temporary, place);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return place;
}

/**
 * Opens the pack and runs it on two generated pictures that differ.
 * @throws Fault as {@link readPack}, {@link loadRecogniser} and {@link loadPad}; PACK_INVALID also if the outputs are
 * equal.
 */
async function tryPack(folder: string, kind: KnownPack['kind']): Promise<void> {
  const pack =
    kind === 'recogniser'
      ? await loadRecogniser(readPack(resolve(folder), ''), {})
      : await loadPad(folder, {});
  try {
    for (const { spec, run } of pack.networks)
      await tryNetwork(run, spec.input_size, join(folder, spec.file));
  } finally {
    await pack.close();
  }
}

async function tryNetwork(run: OpenNetwork['run'], side: number, path: string): Promise<void> {
  const length = 3 * side * side;
  const input = new Float32Array(2 * length);
  // A gradient from dark to light, and the same with stripes: neither is a face, but a working network tells them
  // apart.
  for (let i = 0; i < length; i++) {
    input[i] = ((i % side) / side) * 2 - 1;
    input[length + i] = input[i]! + ((i >> 2) & 1 ? 0.7 : -0.7);
  }
  const output = await run(input, 2);
  const half = output.length / 2;
  const isSame = output.subarray(0, half).every((value, i) => value === output[half + i]);
  if (isSame || !output.every(Number.isFinite))
    throw new Fault('PACK_INVALID', `${path} gives the same output for two different pictures`);
}

/** Names of the packs in the folder; none if there is no such folder. */
export async function installedPacks(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return (
      entries
        // A pack may be a link to another place.
        .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
        .map(({ name }) => name)
        .sort()
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Checks that the pack in the folder is what was published, and works.
 * @throws Fault PACK_MISSING, PACK_CORRUPT, PACK_INVALID, CALIBRATION_INVALID.
 */
export async function verifyPack(folder: string, name: string): Promise<void> {
  const place = join(folder, name);
  const known = knownPack(name);
  if (!known) throw new Fault('PACK_INVALID', `${place} is not in the catalogue`);
  for (const { spec } of known.networks) {
    const path = join(place, spec.file);
    const bytes = await readNetwork(path);
    // Checked against the catalogue, not the manifest beside the file: whoever changes the file can change that
    // manifest too.
    if (sha256Of(bytes) !== spec.sha256) throw new Fault('PACK_CORRUPT', path);
  }
  await tryPack(place, known.kind);
}

/** Removes the pack. @throws Fault PACK_MISSING when there is none. */
export async function removePack(folder: string, name: string): Promise<void> {
  if (!(await installedPacks(folder)).includes(name))
    throw new Fault('PACK_MISSING', `no ${name} in ${folder}`);
  // Renamed first, in one step, so that a half-removed pack is never found under its name.
  const temporary = join(folder, `.${name}.${process.pid}.removed`);
  await rename(join(folder, name), temporary);
  await rm(temporary, { recursive: true });
}
