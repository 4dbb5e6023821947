// Makes the assurance report of this deployment: what judges, the published figures, and the deployment's own.
import type { Config } from '../config/config.ts';
import { describeConfig, describeVariables } from '../config/describe.ts';
import { VERSION } from '../config/version.ts';
import { createConsoleStore } from '../console/tables/store.ts';
import { LIVENESS_LEVELS } from '../contract/liveness-level.ts';
import { RECEIPT_ALGORITHM } from '../contract/receipt.ts';
import { describeEngine } from '../evaluation/engine.ts';
import { operatingPoint, templatePackId } from '../evaluation/recognition/operating-point.ts';
import { DEFAULT_SETTINGS } from '../evaluation/settings.ts';
import {
  ASSURANCE_FORMAT,
  ASSURANCE_TYPE,
  type Assurance,
  type Judged,
  type NetworkFacts,
  NOT_CERTIFIED,
} from '../lab/assurance/contents.ts';
import { measuredRows } from '../lab/assurance/measured.ts';
import { assurancePage } from '../lab/assurance/page.ts';
import type { Setting } from '../lab/assurance/published.ts';
import { publishedChecks } from '../lab/assurance/published-checks.ts';
import { RULES } from '../lab/assurance/rules/rules.ts';
import { hashOfCode } from '../lab/code-hash.ts';
import { hashOfJudgement, judgementHere } from '../lab/judgement-hash.ts';
import { loadModels, type Models, readManifest } from '../models/load.ts';
import { NOT_STATED } from '../models/source.ts';
import type { Foundation } from './foundation.ts';
import { countOwn } from './own-outcomes.ts';
import { readPacksInUse } from './packs-in-use.ts';

/** A report: what was signed, and the page that shows it. */
export interface SignedAssurance {
  readonly report: Assurance;
  readonly jws: string;
  readonly page: string;
}

/**
 * Loads the networks for a moment, as whoever judges does, so that what is reported is what can run.
 * @param since only challenges that ended since then; null for all that are kept
 * @throws Fault as loadModels and readPack do
 */
export async function makeAssurance(foundation: Foundation, since: Date | null): Promise<SignedAssurance> {
  const { config, keys, clock, database, receiptKeys } = foundation;
  const { modelsDir, PAD_PACK: padPack } = config;
  const models = await loadModels({ modelsDir, threads: 1, packs: readPacksInUse(config), padPack });
  try {
    const judged = await describeJudged(config, models);
    const [main] = models.recognisers;
    const payload: Assurance = {
      notice: NOT_CERTIFIED,
      format: ASSURANCE_FORMAT,
      iss: config.baseUrl,
      iat: Math.floor(clock.now().getTime() / 1000),
      judged,
      measured: measuredRows({
        judgements: { challenge: judged.judgement, recording: judged.recording_judgement },
        settings: decidingSettings(config),
        packId: templatePackId(main.pack),
        targetFmr: config.RECOGNITION_TARGET_FMR,
        calibration: main.pack.calibration,
        code: await hashOfCode('template'),
      }),
      here: await countOwn(createConsoleStore(database.reports), keys, since),
      rules: RULES,
    };
    const header = { alg: RECEIPT_ALGORITHM, typ: ASSURANCE_TYPE };
    const jws = await receiptKeys.sign(payload, header);
    const report = payloadOf(jws);
    return { report, jws, page: assurancePage(report, jws) };
  } finally {
    await models.close();
  }
}

/** Variables that decide, with which published measurements are compared. */
function decidingSettings(config: Config): Setting[] {
  const here: Readonly<Record<string, Pick<Setting, 'value' | 'only'>>> = {
    LIVENESS_LEVEL: { value: config.LIVENESS_LEVEL },
    LIVENESS_JUST_IN_TIME: { value: config.LIVENESS_JUST_IN_TIME },
    LIVENESS_PROMPTS: { value: config.livenessPrompts.join(',') },
    // Of the published species, only these are compared with a FeatureID. Whether all frames show one person is decided
    // at a rate of its own.
    RECOGNITION_TARGET_FMR: { value: String(config.RECOGNITION_TARGET_FMR), only: 'bound_' },
  };
  return describeVariables().flatMap(({ name, default: usual }) => {
    const own = here[name];
    return own === undefined || usual === null ? [] : [{ name, usual, ...own }];
  });
}

/** As it was signed: the page is drawn from that, its order included, because a check draws it again. */
function payloadOf(jws: string): Assurance {
  return JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString('utf8')) as Assurance;
}

async function describeJudged(config: Config, models: Models): Promise<Judged> {
  const settings = { ...DEFAULT_SETTINGS, targetFmr: config.RECOGNITION_TARGET_FMR };
  const point = operatingPoint(models.recognisers[0].pack, config.RECOGNITION_TARGET_FMR);
  const { modelsDir, RECOGNISER_PACK: recogniserPack, PAD_PACK: padPack } = config;
  const place = judgementHere({ modelsDir, recogniserPack, padPack });
  return {
    engine: await describeEngine(models, settings, VERSION),
    judgement: await hashOfJudgement('challenge', place),
    recording_judgement: await hashOfJudgement('recording', place),
    networks: await describeNetworks(config, models),
    levels: LIVENESS_LEVELS,
    thresholds: point.thresholds.map(({ probeFrames, referenceFrames, cosine }) => ({
      probe_frames: probeFrames,
      reference_frames: referenceFrames,
      cosine,
    })),
    checks: publishedChecks(),
    configuration: describeConfig(config, process.env).map(({ name, value, from }) => ({
      name,
      value,
      from,
    })),
  };
}

async function describeNetworks(
  { modelsDir }: Config,
  { recognisers, pad }: Models,
): Promise<NetworkFacts[]> {
  const compiled = (await readManifest(modelsDir)).models.map(({ id, sha256, provenance }) => ({
    id,
    sha256,
    licence: `code: ${provenance.codeLicence}; weights: ${provenance.weightsLicence}`,
    training_data: provenance.trainingData,
  }));
  const manifests = [...recognisers.map(({ pack }) => pack.manifest), ...(pad ? [pad.manifest] : [])];
  const packs = manifests.flatMap(({ name, licence, training_data, networks }) =>
    networks.map(({ file, sha256 }) => ({
      id: `${name}: ${file}`,
      sha256,
      licence,
      training_data: training_data ?? NOT_STATED,
    })),
  );
  return [...compiled, ...packs];
}
