// The worker process: judgements on the processor, deliveries on the network, each in its own lane.
import { createDeliverTask, DELIVER_CONCURRENCY, DELIVER_TASK } from '../jobs/deliver.ts';
import { startJobRunner } from '../jobs/runner.ts';
import { createWorkerLiveness } from '../storage/postgres/worker-liveness.ts';
import type { Foundation } from './foundation.ts';
import { composeServices } from './services.ts';

export interface WorkerRole {
  /** Takes no more jobs, finishes those under way. */
  stop(): Promise<void>;
}

/** Loads the models and takes up work. */
export async function startWorker(foundation: Foundation): Promise<WorkerRole> {
  const { database, log } = foundation;
  const services = composeServices(foundation);
  const liveness = createWorkerLiveness(database.connectionString, database.db, log);
  const runner = await startJobRunner({
    connectionString: database.connectionString,
    liveness,
    log,
    lanes: [
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
    },
  };
}
