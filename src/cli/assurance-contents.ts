// Gathers what an assurance report says of this deployment: the engine, the published figures, and its own.
import type { Foundation } from '../composition/foundation.ts';
import { readPacksInUse } from '../composition/packs-in-use.ts';
import type { Config } from '../config/config.ts';
import { describeConfig } from '../config/describe.ts';
import { VERSION } from '../config/version.ts';
import { countSealed, type SealedOutcomes } from '../console/sealed-outcomes.ts';
import type { Outcomes } from '../console/tables/outcomes.ts';
import { createConsoleStore } from '../console/tables/store.ts';
import { LIVENESS_LEVELS } from '../contract/liveness-level.ts';
import { describeEngine } from '../evaluation/engine.ts';
import { operatingPoint, templatePackId } from '../evaluation/recognition/operating-point.ts';
import { DEFAULT_SETTINGS } from '../evaluation/settings.ts';
import {
  ASSURANCE_FORMAT,
  type Assurance,
  type Judged,
  type NetworkFacts,
  NOT_CERTIFIED,
  type Own,
  type OwnRow,
  type Share,
} from '../lab/assurance/contents.ts';
import { measuredRows } from '../lab/assurance/published.ts';
import { RULES } from '../lab/assurance/rules.ts';
import { hashOfCode } from '../lab/code-hash.ts';
import { wilsonInterval } from '../lab/intervals.ts';
import { type Models, readManifest } from '../models/load.ts';
import { NOT_STATED } from '../models/source.ts';

const NOT_RECORDED = [
  'browser: not recorded',
  'light and distance of recordings that were sent back: only as reasons (too_dark, too_far), not as values',
  'who was an attacker: not known',
] as const;

/** @param since only challenges completed since then; null for all that are kept */
export async function gatherAssurance(
  { config, database, keys, clock }: Foundation,
  models: Models,
  since: Date | null,
): Promise<Assurance> {
  const store = createConsoleStore(database.reports);
  const code = await hashOfCode('judgement');
  const pack = readPacksInUse(config)[0]!;
  const [rates, sentBack, sealed] = await Promise.all([
    store.countOutcomes(since),
    store.countSentBack(since),
    countSealed(store, keys, since),
  ]);
  return {
    notice: NOT_CERTIFIED,
    format: ASSURANCE_FORMAT,
    iss: config.baseUrl,
    iat: Math.floor(clock.now().getTime() / 1000),
    judged: await judgedOf(config, models, code),
    measured: measuredRows({
      code,
      packId: templatePackId(pack),
      targetFmr: config.RECOGNITION_TARGET_FMR,
      calibration: pack.calibration,
    }),
    here: {
      since: since?.toISOString() ?? null,
      rates: rates?.map(ownRow) ?? null,
      sent_back: sentBack,
      sealed: sealedOf(sealed),
      not_recorded: NOT_RECORDED,
    },
    rules: RULES,
  };
}

async function judgedOf(config: Config, models: Models, code: string): Promise<Judged> {
  const settings = { ...DEFAULT_SETTINGS, targetFmr: config.RECOGNITION_TARGET_FMR };
  const point = operatingPoint(readPacksInUse(config)[0]!, config.RECOGNITION_TARGET_FMR);
  return {
    engine: await describeEngine(models, settings, VERSION),
    code,
    networks: await networksOf(config, models),
    levels: LIVENESS_LEVELS,
    thresholds: point.thresholds.map(({ probeFrames, referenceFrames, cosine }) => ({
      probe_frames: probeFrames,
      reference_frames: referenceFrames,
      cosine,
    })),
    configuration: describeConfig(config, process.env).map(({ name, value, from }) => ({
      name,
      value,
      from,
    })),
  };
}

async function networksOf({ modelsDir }: Config, { recognisers, pad }: Models): Promise<NetworkFacts[]> {
  const compiled = (await readManifest(modelsDir)).models.map(({ id, source, provenance }) => ({
    id,
    sha256: source.sha256,
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

function ownRow({ by, name, judged, passed, passed_first, median_seconds }: Outcomes): OwnRow {
  return {
    by,
    name,
    first_try: shareOf(passed_first, judged),
    three_tries: shareOf(passed, judged),
    median_seconds,
  };
}

function sealedOf({ newest, opened, reasons, withDevices, statuses }: SealedOutcomes): Own['sealed'] {
  return {
    newest,
    opened,
    reasons,
    devices: shareOf(withDevices, opened),
    device_statuses: [...statuses].map(([status, count]) => ({ status, share: shareOf(count, withDevices) })),
  };
}

const shareOf = (count: number, n: number): Share => ({
  count,
  n,
  rate: n === 0 ? null : count / n,
  interval: wilsonInterval(count, n),
});
