// The recogniser packs of this deployment.
import type { Config } from '../config/config.ts';
import { type RecogniserPack, readPack } from '../models/packs/read-pack.ts';

/**
 * Reads the packs in use: the first makes new templates, the others only compare with FeatureIDs that they made.
 * @throws Fault as {@link readPack}
 */
export function readPacksInUse(config: Config): RecogniserPack[] {
  const { RECOGNISER_PACK, olderRecogniserPacks, modelsDir } = config;
  return [RECOGNISER_PACK, ...olderRecogniserPacks].map((pack) => readPack(pack, modelsDir));
}
