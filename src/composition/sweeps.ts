// Periodic work of every API instance: expiry, retention, jobs of dead workers.
import { featidChores } from '../jobs/featid-chores.ts';
import { type Chore, challengeChores, retentionChores, type Sweeper, startSweeper } from '../jobs/sweep.ts';
import { webhookChores } from '../jobs/webhook-chores.ts';
import { createDeliveryStore } from '../storage/postgres/delivery-store.ts';
import { createFeatidUpkeepStore } from '../storage/postgres/featid-upkeep.ts';
import { createSweepStore } from '../storage/postgres/sweep-store.ts';
import { createWorkerLiveness } from '../storage/postgres/worker-liveness.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** Chores of retention: results, assets, FeatureIDs, test deliveries, webhook secrets. */
export function composeRetention(foundation: Foundation, services: Services): Chore[] {
  const { config, clock, database, webhookSecrets } = foundation;
  const ofChallenges = retentionChores({
    sweep: createSweepStore(database.db),
    assets: services.challengeParts.assets,
    clock,
    keyShredder: services.keyShredder,
    idempotency: services.idempotency,
    resultRetentionDays: config.RESULT_RETENTION_DAYS,
  });
  const ofFeatids = featidChores(createFeatidUpkeepStore(database.db), {
    unusedDays: config.FEATID_RETENTION_DAYS ?? null,
    tombstoneDays: config.FEATID_TOMBSTONE_DAYS,
  });
  const ofWebhooks = webhookChores({
    deliveries: createDeliveryStore(database.db),
    secrets: webhookSecrets,
    resultRetentionDays: config.RESULT_RETENTION_DAYS,
  });
  return [...ofChallenges, ...ofFeatids, ...ofWebhooks];
}

/** Starts every chore of this instance. */
export function startSweeps(foundation: Foundation, services: Services): Sweeper {
  const { database, log } = foundation;
  const liveness = createWorkerLiveness(database.connectionString, database.db, log);
  const chores = challengeChores({
    ...services.challengeParts,
    sweep: createSweepStore(database.db),
    liveness,
  });
  const sweeper = startSweeper([...chores, ...composeRetention(foundation, services)], log);
  return {
    stop: async () => {
      await sweeper.stop();
      await liveness.close();
    },
  };
}
