// The doctor's checks of the networks: whether they load, which packs are in force, and their provenance.

import { readPacksInUse } from '../composition/packs-in-use.ts';
import type { Config } from '../config/config.ts';
import { type OperatingPoint, operatingPoint } from '../evaluation/recognition/operating-point.ts';
import { loadModels, readManifest, sessionOptions } from '../models/load.ts';
import { loadRecogniser } from '../models/packs/load-recogniser.ts';
import { loadPad } from '../models/packs/pad-pack.ts';
import { NO_PAD_PACK, packFolder } from '../models/packs/read-pack.ts';
import { NOT_STATED } from '../models/source.ts';
import type { Check, Finding } from './check.ts';

/** Session options as in a worker. */
const SESSION = sessionOptions(1);

/**
 * Loads the networks that set-up compiled. The packs in force have separate checks, so that a fault names its source.
 */
export async function checkModels({ modelsDir }: Config): Promise<Finding> {
  const models = await loadModels({ modelsDir, threads: 1, padPack: NO_PAD_PACK });
  await models.close();
  return { status: 'ok', detail: `complete and unaltered in ${modelsDir}` };
}

/** Loads the recogniser packs and reports which make and compare FeatureIDs, and at which thresholds. */
export async function checkRecogniser(config: Config): Promise<Finding> {
  const packs = readPacksInUse(config);
  const points = packs.map((pack) => operatingPoint(pack, config.RECOGNITION_TARGET_FMR));
  for (const pack of packs) await (await loadRecogniser(pack, SESSION)).close();
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
      `${packId}, makes new FeatureIDs, at FMR ${targetFmr}: ${cosines.join(', ')}; calibrated on ${population}; ` +
      provenanceOf(packs[0]!.manifest) +
      kept.map((point) => `; kept for its FeatureIDs: ${point.packId}`).join(''),
  };
}

/** Loads the PAD pack in force and reports its role and the score from which a face counts as live. */
export async function checkPad({ PAD_PACK, modelsDir }: Config): Promise<Finding> {
  if (PAD_PACK === NO_PAD_PACK)
    return { status: 'notEvaluated', detail: 'off: no network looks for attacks' };
  const { manifest, close } = await loadPad(packFolder(PAD_PACK, modelsDir), SESSION);
  await close();
  const { name, threshold } = manifest;
  const role = 'gates spoof_result: a face below that is sent back';
  return { status: 'ok', detail: `${name}, live from ${threshold}, ${role}; ${provenanceOf(manifest)}` };
}

function provenanceOf(pack: { licence: string; training_data?: string }): string {
  return `licence: ${pack.licence}; trained on: ${pack.training_data ?? NOT_STATED}`;
}

/** One line per network that set-up compiled, with its published provenance; none if they are missing. */
export async function describeNetworks({ modelsDir }: Config): Promise<Check[]> {
  let manifest: Awaited<ReturnType<typeof readManifest>>;
  try {
    manifest = await readManifest(modelsDir);
  } catch {
    // The check of the models reports this.
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
