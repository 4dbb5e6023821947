// What `likeness doctor` says of the networks: whether they open, which packs are in force, and where each comes from.
import { type Config, packChoice } from '../config.ts';
import { type OperatingPoint, operatingPoint } from '../evaluation/recognition/operating-point.ts';
import { loadModels, readManifest } from '../models/load.ts';
import { readPad } from '../models/packs/pad-pack.ts';
import { NO_PAD_PACK, packFolder, readPacks } from '../models/packs/read-pack.ts';
import { NOT_STATED } from '../models/source.ts';
import type { Check, Finding } from './check.ts';

/** Opens every network as a worker does. */
export async function checkModels(config: Config): Promise<Finding> {
  const packs = readPacks(packChoice(config));
  const models = await loadModels({
    modelsDir: config.modelsDir,
    threads: 1,
    packs,
    padPack: config.PAD_PACK,
  });
  await models.close();
  return { status: 'ok', detail: `complete and unaltered in ${config.modelsDir}` };
}

/** Packs and calibration: what FeatureIDs are made and compared with, and at which threshold. */
export async function checkRecogniser(config: Config): Promise<Finding> {
  const packs = readPacks(packChoice(config));
  const points = packs.map((pack) => operatingPoint(pack, config.RECOGNITION_TARGET_FMR));
  const [{ packId, targetFmr, population, thresholds }, ...kept] = points as [
    OperatingPoint,
    ...OperatingPoint[],
  ];
  const cosines = thresholds
    .filter(({ probeFrames, referenceFrames }) => probeFrames <= referenceFrames)
    .map(
      ({ probeFrames, referenceFrames, cosine }) =>
        `${cosine.toFixed(3)} (${probeFrames} against ${referenceFrames} frames)`,
    );
  return {
    status: 'ok',
    detail:
      `${packId} at FMR ${targetFmr}: ${cosines.join(', ')}; calibrated on ${population}; ` +
      provenanceOf(packs[0]!.manifest) +
      kept.map((point) => `; kept for its FeatureIDs: ${point.packId}`).join(''),
  };
}

/** Which PAD pack is in force, and from which score on a face counts as live. */
export async function checkPad({ PAD_PACK, modelsDir }: Config): Promise<Finding> {
  if (PAD_PACK === NO_PAD_PACK)
    return { status: 'notEvaluated', detail: 'off: no network looks for attacks' };
  const manifest = readPad(packFolder(PAD_PACK, modelsDir));
  const { name, threshold } = manifest;
  return { status: 'ok', detail: `${name}, live from ${threshold}; ${provenanceOf(manifest)}` };
}

function provenanceOf(pack: { licence: string; training_data?: string }): string {
  return `licence: ${pack.licence}; trained on: ${pack.training_data ?? NOT_STATED}`;
}

/** One line for each network that set-up compiled, with what is published of it; none where they are missing. */
export async function describeNetworks({ modelsDir }: Config): Promise<Check[]> {
  let manifest: Awaited<ReturnType<typeof readManifest>>;
  try {
    manifest = await readManifest(modelsDir);
  } catch {
    // The check of the models says so.
    return [];
  }
  return manifest.models.map(({ id, source, provenance }) => ({
    name: id,
    status: 'ok',
    detail:
      `${provenance.task}; ${source.package}@${source.version}, ${source.weights}, ${source.bytes} bytes, ` +
      `SHA-256 ${source.sha256}; code: ${provenance.codeLicence}; weights: ${provenance.weightsLicence}; ` +
      `trained on: ${provenance.trainingData}`,
  }));
}
