// The worker process: judgements and deliveries.
import { constants, setPriority } from 'node:os';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { VERSION } from '../config/version.ts';
import { mediaTool } from '../confined/program.ts';
import type { Engine } from '../contract/receipt.ts';
import { describeEngine } from '../evaluation/engine.ts';
import { judge, judgeGrowing } from '../evaluation/judge.ts';
import { operatingPoint } from '../evaluation/recognition/operating-point.ts';
import { DEFAULT_SETTINGS, type EvaluationSettings } from '../evaluation/settings.ts';
import { templateOfPicture } from '../evaluation/template-of-picture.ts';
import { createPictureStore } from '../featid/tables/picture-store.ts';
import { createFollowTask, FOLLOW_TASK } from '../jobs/follow.ts';
import { createJudgeTask, JUDGE_TASK } from '../jobs/judge.ts';
import { createJudgementLock } from '../jobs/judgement-lock.ts';
import { createKeptJudgements } from '../jobs/kept-judgements.ts';
import { createPictureTask, PICTURE_TASK } from '../jobs/picture.ts';
import { type JobLane, startJobRunner } from '../jobs/runner.ts';
import type { JudgeObserver } from '../jobs/settle.ts';
import type { MetricsParts } from '../metrics/metrics-server.ts';
import { createWorkMetrics, measureReadiness } from '../metrics/work-metrics.ts';
import { answerMetrics } from '../metrics/worker-metrics.ts';
import { loadModels, type Models } from '../models/load.ts';
import { createWorkerPresence } from '../storage/postgres/coordination/worker-presence.ts';
import { warnOfReach } from './decoders.ts';
import type { Foundation } from './foundation.ts';
import { readPacksInUse } from './packs-in-use.ts';
import { createReadiness, readyUntilStop } from './readiness.ts';
import { composeServices, type Services } from './services.ts';

/** The decoder uses the other core; see bench/RESULTS.md. */
const NETWORK_THREADS = 1;

export interface WorkerRole {
  /** What the operator's port of ROLE=worker shows. */
  readonly metrics: MetricsParts;
  /** Takes no more jobs and finishes running ones. */
  stop(): Promise<void>;
}

/** Loads the models and starts working. */
export async function startWorker(foundation: Foundation, isStopping: () => boolean): Promise<WorkerRole> {
  const { config, database, log } = foundation;
  // The API takes precedence if both need the processor; the decoder's process inherits this priority.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const services = composeServices(foundation);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'likeness_worker_' });
  const observers = createWorkMetrics(registry);
  answerMetrics(registry);
  const packs = readPacksInUse(config);
  const settings = { ...DEFAULT_SETTINGS, targetFmr: config.RECOGNITION_TARGET_FMR };
  // A pack without a usable calibration must fail the start, not the first judgement.
  for (const pack of packs) operatingPoint(pack, settings.targetFmr);
  const [models] = await Promise.all([
    loadModels({
      modelsDir: config.modelsDir,
      threads: NETWORK_THREADS,
      packs,
      padPack: config.PAD_PACK,
    }),
    warnOfReach(mediaTool(settings.video.ffmpegPath), 'videos', log),
  ]);
  const stopping = new AbortController();
  const { signal } = stopping;
  const engine = await describeEngine(models, settings, VERSION);
  const lanes = lanesOf(foundation, { services, models, settings, engine, signal, observe: observers.judge });
  const presence = createWorkerPresence(database.directConnectionString, database.db, log);
  const runner = await startJobRunner({
    connectionString: database.directConnectionString,
    presence,
    isStopping,
    log,
    lanes,
  });
  const dispatcher = services.dispatchDeliveries({ observe: observers.deliver });
  const { assets, room } = services.challengeParts;
  const readiness = readyUntilStop(createReadiness(database.db, assets, room), isStopping);
  // Beside an API process (ROLE=all) both need the same parts, and the API process reports on them.
  if (!process.send) measureReadiness(registry, readiness);
  return {
    metrics: { scrape: () => registry.metrics(), readiness },
    stop: async () => {
      stopping.abort();
      await Promise.all([runner.stop(), dispatcher.stop()]);
      await presence.close();
      await services.close();
      await models.close();
    },
  };
}

/**
 * The job lanes that use the models: captures, complete or still being recorded, and pictures. Pictures come after
 * complete captures because their jobs have lower priority.
 */
function lanesOf(
  { config, database, log }: Foundation,
  parts: {
    services: Services;
    models: Models;
    settings: EvaluationSettings;
    engine: Engine;
    signal: AbortSignal;
    observe: JudgeObserver;
  },
): JobLane[] {
  const { services, models, settings, engine, signal, observe } = parts;
  const { featids, passkeys } = services;
  const { store, assets, custody, clock } = services.challengeParts;
  const settling = {
    store,
    assets,
    custody,
    clock,
    featids,
    passkeys,
    engine,
    observe,
    log,
    judgementLock: createJudgementLock(),
    keptJudgements: createKeptJudgements(),
  };
  const judgeTask = createJudgeTask({
    ...settling,
    judge: (input) => judge({ ...input, settings }, models),
  });
  const pictureTask = createPictureTask({
    store: createPictureStore(database.db),
    custody,
    featids,
    log,
    read: (picture) => templateOfPicture(picture, models, settings),
  });
  const followTask = createFollowTask({
    ...settling,
    signal,
    judgeGrowing: (input) => judgeGrowing({ ...input, settings }, models),
  });
  return [
    // One at a time, because a judgement keeps its processors busy; WORKER_PROCESSES adds more.
    { name: 'judge', concurrency: 1, tasks: { [JUDGE_TASK]: judgeTask, [PICTURE_TASK]: pictureTask } },
    { name: 'follow', concurrency: config.limits.recordingsPerWorker, tasks: { [FOLLOW_TASK]: followTask } },
  ];
}
