// The worker process: judgements on the processor, deliveries on the network, each in its own lane.
import { judge } from '../evaluation/judge.ts';
import { createDeliverTask, DELIVER_CONCURRENCY, DELIVER_TASK } from '../jobs/deliver.ts';
import { createJudgeTask, JUDGE_TASK } from '../jobs/judge.ts';
import { startJobRunner } from '../jobs/runner.ts';
import { loadModels } from '../models/load.ts';
import { createWorkerLiveness } from '../storage/postgres/worker-liveness.ts';
import type { Foundation } from './foundation.ts';
import { composeServices } from './services.ts';

/** The decoder has the other core; see bench/RESULTS.md. */
const NETWORK_THREADS = 1;

export interface WorkerRole {
  /** Takes no more jobs, finishes those under way. */
  stop(): Promise<void>;
}

/** Loads the models and takes up work. */
export async function startWorker(foundation: Foundation): Promise<WorkerRole> {
  const { config, database, log } = foundation;
  const services = composeServices(foundation);
  const models = await loadModels({ modelsDir: config.modelsDir, threads: NETWORK_THREADS });
  const { store, assets, custody } = services.challengeParts;
  const judgeTask = createJudgeTask({
    store,
    assets,
    custody,
    featids: services.featids,
    makeDeliveries: services.makeDeliveries,
    judge: (input) => judge(input, models),
    log,
  });
  const liveness = createWorkerLiveness(database.connectionString, database.db, log);
  const runner = await startJobRunner({
    connectionString: database.connectionString,
    liveness,
    log,
    lanes: [
      // One at a time: a judgement fills its processors; WORKER_PROCESSES gives more.
      { name: 'judge', concurrency: 1, tasks: { [JUDGE_TASK]: judgeTask } },
      {
        name: 'deliver',
        concurrency: DELIVER_CONCURRENCY,
        tasks: { [DELIVER_TASK]: createDeliverTask(services.deliver) },
      },
    ],
  });
  return {
    stop: async () => {
      await runner.stop();
      await liveness.close();
      await services.close();
      await models.close();
    },
  };
}
