// The repeated work that every API instance does: expiry, retention, jobs of dead workers.
import { systemClock } from '../base/clock.ts';
import { featidChores } from '../jobs/featid-chores.ts';
import { challengeChores, type Sweeper, startSweeper } from '../jobs/sweep.ts';
import { createFeatidUpkeepStore } from '../storage/postgres/featid-upkeep.ts';
import { createSweepStore } from '../storage/postgres/sweep-store.ts';
import { createWorkerLiveness } from '../storage/postgres/worker-liveness.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** Starts every chore of this instance. */
export function startSweeps(foundation: Foundation, services: Services): Sweeper {
  const { config, database, log } = foundation;
  const liveness = createWorkerLiveness(database.connectionString, database.db, log);
  const chores = challengeChores({
    ...services.challengeParts,
    sweep: createSweepStore(database.db),
    liveness,
    clock: systemClock,
    resultRetentionDays: config.RESULT_RETENTION_DAYS,
    makeDeliveries: services.makeDeliveries,
  });
  const ofFeatids = featidChores(createFeatidUpkeepStore(database.db), {
    unusedDays: config.FEATID_RETENTION_DAYS ?? null,
    tombstoneDays: config.FEATID_TOMBSTONE_DAYS,
  });
  const sweeper = startSweeper([...chores, ...ofFeatids], log);
  return {
    stop: async () => {
      await sweeper.stop();
      await liveness.close();
    },
  };
}
