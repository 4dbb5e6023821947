// A hash of all that decides how a challenge ends, and one of what decides on a recording held against a script.
// Published figures carry either, and a deployment computes its own: where they differ, the figures are of another
// judgement.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { canonicalJson } from '../base/canonical-json.ts';
import { samePersonCosines } from '../evaluation/recognition/operating-point.ts';
import { readManifest } from '../models/load.ts';
import { PACK_MANIFEST_FILE } from '../models/packs/manifest.ts';
import { PadManifest } from '../models/packs/pad-pack.ts';
import { readJson } from '../models/packs/read-json.ts';
import {
  DEFAULT_PACK,
  DEFAULT_PAD_PACK,
  packFolder,
  type RecogniserPack,
  readPack,
} from '../models/packs/read-pack.ts';
import { hashOfCode } from './code-hash.ts';

/** Libraries whose version may change a value. Others carry requests and rows. */
const DECISIVE_LIBRARIES = ['onnxruntime-node', 'sharp'] as const;

/** What is judged: a challenge with its tries and its device, or one recording. */
export type JudgedKind = 'challenge' | 'recording';

/** Where the parts of a judgement are. */
export interface JudgementPlace {
  /** The sources, or what was built of them. */
  readonly code: string;
  /** Folder of the installed libraries. */
  readonly libraries: string;
  readonly modelsDir: string;
  /** As RECOGNISER_PACK and PAD_PACK. */
  readonly recogniserPack: string;
  readonly padPack: string;
}

/** The judgement of a checkout as it comes: with its own code and the built-in packs. */
export function judgementOfCheckout(root: string): JudgementPlace {
  return {
    code: join(root, 'src'),
    libraries: join(root, 'node_modules'),
    modelsDir: join(root, 'build', 'models'),
    recogniserPack: DEFAULT_PACK,
    padPack: DEFAULT_PAD_PACK,
  };
}

/** The judgement of the code that runs, with these networks. */
export function judgementHere(networks: Omit<JudgementPlace, 'code' | 'libraries'>): JudgementPlace {
  const code = resolve(import.meta.dirname, '..');
  return { ...networks, code, libraries: join(code, '..', 'node_modules') };
}

/** Twelve hex digits. @throws Fault MODELS_MISSING, and those of {@link readPack} */
export async function hashOfJudgement(of: JudgedKind, place: JudgementPlace): Promise<string> {
  const { models } = await readManifest(place.modelsDir);
  const recogniser = readPack(place.recogniserPack, place.modelsDir);
  const padManifest = join(packFolder(place.padPack, place.modelsDir), PACK_MANIFEST_FILE);
  const decisive = {
    code: await hashOfCode(of, place.code),
    networks: models.map(({ id, sha256 }) => [id, sha256]),
    recogniser: [recogniser.manifest, samePersonCosines(recogniser)],
    // What decides a comparison, which a recording alone is not.
    ...(of === 'challenge' && { thresholds: thresholdsOf(recogniser) }),
    pad: readJson(PadManifest, padManifest, 'PACK_INVALID'),
    libraries: await Promise.all(DECISIVE_LIBRARIES.map((name) => versionOf(place.libraries, name))),
  };
  return createHash('sha256').update(canonicalJson(decisive)).digest('hex').slice(0, 12);
}

/** Not whom or when they were measured on: measuring the same ones again makes no other figure stale. */
function thresholdsOf({ calibration }: RecogniserPack) {
  return (
    calibration && {
      slope: calibration.score_slope,
      face: calibration.thresholds.map(({ probe_frames, reference_frames, points }) => [
        [probe_frames, reference_frames],
        points.map(({ target_fmr, cosine }) => [target_fmr, cosine]),
      ]),
      regions: Object.entries(calibration.regions.points).map(([name, point]) => [
        name,
        point.when_passed,
        point.when_failed,
      ]),
    }
  );
}

async function versionOf(libraries: string, name: string): Promise<string> {
  const text = await readFile(join(libraries, name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
