// Wires the modules together: adapters into ports, and parts into services. Only this folder knows the implementations.

import { cachedFor } from '../base/cached-for.ts';
import type { Logger } from '../base/log.ts';
import { createEncryptedAssets } from '../challenge/assets/encrypted-assets.ts';
import { createStorageRoom, type StorageRoom } from '../challenge/assets/storage-room.ts';
import { createChallengeServices } from '../challenge/create-services.ts';
import type { ChallengeParts } from '../challenge/parts.ts';
import type { ChallengeServices } from '../challenge/services.ts';
import type { ChallengeSettings } from '../challenge/settings.ts';
import { createStoreMarks } from '../challenge/tables/asset-store-marks.ts';
import { createChallengeStore } from '../challenge/tables/store.ts';
import { readUsualSeconds, type UsualSeconds } from '../challenge/tables/usual-seconds.ts';
import type { Config } from '../config/config.ts';
import { templatePackId } from '../evaluation/recognition/operating-point.ts';
import { createFeatids, type Featids } from '../featid/featids.ts';
import { createPictures, type Pictures } from '../featid/pictures.ts';
import { createPictureStore } from '../featid/tables/picture-store.ts';
import { createFeatidStore } from '../featid/tables/store.ts';
import { createIdempotency, type Idempotency } from '../idempotency/idempotency.ts';
import { createIdempotencyStore } from '../idempotency/tables/store.ts';
import { type AllowList, LOOPBACK_HOSTS, parseAllowList } from '../outbound/address.ts';
import { createImageFetcher } from '../outbound/fetch-image.ts';
import { createGuardedAgent, type GuardedAgent } from '../outbound/guarded-agent.ts';
import { refusedTarget } from '../outbound/refused-target.ts';
import { attested } from '../passkeys/attestation/attested.ts';
import { readTrustAnchors } from '../passkeys/attestation/trust-anchors.ts';
import { createPasskeys, type Passkeys } from '../passkeys/passkeys.ts';
import { createPasskeyStore } from '../passkeys/tables/store.ts';
import { diskFolder, openMarkedBlobs } from '../storage/assets/open-blob-store.ts';
import { createNotifier } from '../storage/postgres/coordination/notifier.ts';
import type { Database } from '../storage/postgres/database.ts';
import { composeDeliveries, type DeliveryServices } from './deliveries.ts';
import type { Foundation } from './foundation.ts';
import { readPacksInUse } from './packs-in-use.ts';

export interface Services extends DeliveryServices {
  readonly challengeParts: ChallengeParts;
  readonly idempotency: Idempotency;
  readonly challenges: ChallengeServices;
  readonly featids: Featids;
  readonly passkeys: Passkeys;
  readonly pictures: Pictures;
  /** For calls to addresses that someone else chose. */
  readonly agent: GuardedAgent;
  close(): Promise<void>;
}

const USUAL_SECONDS_KEPT_MS = 60_000;

/** Parts that a caller may substitute for the service's own. The service itself substitutes none. */
interface OwnParts {
  readonly fetchImage?: ChallengeParts['fetchImage'];
  /** Limit of one webhook attempt. */
  readonly attemptTimeoutMs?: number;
}

/** Makes all services that an API or a worker process offers to its routes or tasks. */
export function composeServices(foundation: Foundation, own: OwnParts = {}): Services {
  const { config, clock, database, keys, receiptKeys, log } = foundation;
  const featids = createFeatids({
    keys,
    store: createFeatidStore(database.db),
    region: config.REGION,
    usablePacks: readPacksInUse(config).map(templatePackId),
  });
  const passkeys = composePasskeys(foundation, featids);
  const allow = allowList(config);
  const agent = createGuardedAgent({ allow });
  const idempotency = createIdempotency({
    store: createIdempotencyStore(database.db),
    custody: keys,
  });
  const challengeParts: ChallengeParts = {
    store: createChallengeStore(database.db, {
      assetRetentionDays: config.ASSET_RETENTION_DAYS,
      replayWindowDays: config.limits.replayWindowDays,
    }),
    assets: createEncryptedAssets({
      keys,
      blobs: openMarkedBlobs(config, createStoreMarks(database.db)),
    }),
    room: openStorageRoom(foundation),
    custody: keys,
    idempotency,
    featids,
    passkeys,
    fetchImage: own.fetchImage ?? createImageFetcher(agent),
    notifier: createNotifier(database.directConnectionString, log),
    receiptKeys,
    usualSeconds: cachedFor(clock, USUAL_SECONDS_KEPT_MS, () => readSeconds(database.reports, log)),
    clock,
    settings: challengeSettings(config, allow),
    log,
  };
  const challenges = createChallengeServices(challengeParts);
  return {
    challengeParts,
    idempotency,
    challenges,
    featids,
    passkeys,
    agent,
    pictures: createPictures({
      store: createPictureStore(database.db),
      custody: keys,
      notifier: challengeParts.notifier,
      idempotency,
      featids,
    }),
    ...composeDeliveries(foundation, { agent, payloads: challenges, timeoutMs: own.attemptTimeoutMs }),
    close: async () => {
      await challengeParts.notifier.close();
      await agent.close();
    },
  };
}

function composePasskeys({ config, database, keys }: Foundation, featids: Featids): Passkeys {
  const passkeys = createPasskeys({
    store: createPasskeyStore(database.db),
    custody: keys,
    featids,
    baseUrl: config.baseUrl,
    rpId: config.PASSKEY_RP_ID,
  });
  const { passkeyMakers: makers } = config;
  return makers === null ? passkeys : attested(passkeys, () => readTrustAnchors(makers));
}

/** Without an answer in a report's time, the page says nothing about it. */
function readSeconds(reports: Database, log: Logger): Promise<UsualSeconds> {
  return readUsualSeconds(reports).catch((err: unknown) => {
    log.warn({ err }, 'how long a check takes is not known');
    return {};
  });
}

function openStorageRoom({ config, database, clock }: Foundation): StorageRoom {
  const assets = diskFolder(config);
  const growing = [...(config.DATABASE_URL ? [] : [config.dataDir]), ...(assets === null ? [] : [assets])];
  return createStorageRoom(
    { db: database.db, clock },
    { growing, assets },
    {
      minFreeBytes: config.limits.minFreeDiskBytes,
      accountQuotaBytes: config.limits.accountStorageBytes,
      maxUploadBytes: config.limits.maxUploadBytes,
    },
  );
}

/** The settings of src/challenge, read from the configuration. */
function challengeSettings(config: Config, allow: AllowList): ChallengeSettings {
  return {
    baseUrl: config.baseUrl,
    production: config.MODE === 'production',
    webhookRequireHttps: config.WEBHOOK_REQUIRE_HTTPS,
    refusedTarget: (url) => refusedTarget(url, allow),
    assetLinkTtlSeconds: config.ASSET_LINK_TTL_SECONDS,
    assetRetentionDays: config.ASSET_RETENTION_DAYS,
    livenessLevel: config.LIVENESS_LEVEL,
    livenessPrompts: config.livenessPrompts,
    livenessJustInTime: config.LIVENESS_JUST_IN_TIME,
    maxUploadBytes: config.limits.maxUploadBytes,
    maxWaitingPerWorker: config.limits.waitingPerWorker,
  };
}

/** Private addresses that calls to URLs given by clients may reach. */
function allowList(config: Config): AllowList {
  return parseAllowList([
    ...config.webhookAllowHosts,
    ...(config.MODE === 'development' ? LOOPBACK_HOSTS : []),
  ]);
}
