// Periodic work of the API instances. Each instance handles expiry and the jobs of dead workers; retention runs on one
// at a time.

import { createSweepStore } from '../challenge/tables/sweep-store.ts';
import { createPictureStore } from '../featid/tables/picture-store.ts';
import { createFeatidUpkeepStore } from '../featid/tables/upkeep.ts';
import { challengeTasks, retentionTasks } from '../jobs/challenge-tasks.ts';
import { featidTasks } from '../jobs/featid-tasks.ts';
import { inTurn } from '../jobs/in-turn.ts';
import { type PeriodicTask, type Sweeper, startSweeper } from '../jobs/sweep.ts';
import { webhookTasks } from '../jobs/webhook-tasks.ts';
import { rewriteErased } from '../keys/tables/rewrite.ts';
import { createLoginStore, createRecordStore } from '../oidc/tables/records.ts';
import { oidcTasks, signingKeyTask } from '../oidc/tasks.ts';
import { NOTE_EVERY_MS, notePresence } from '../storage/postgres/coordination/service-absence.ts';
import { createTaskTurns } from '../storage/postgres/coordination/task-turns.ts';
import { createWorkerPresence } from '../storage/postgres/coordination/worker-presence.ts';
import { createDeliveryStore } from '../webhook/tables/store.ts';
import type { Foundation } from './foundation.ts';
import { composeSigningKeys } from './oidc/administration.ts';
import type { Services } from './services.ts';

/** The retention tasks: results, assets, FeatureIDs, test deliveries, webhook secrets and logins. */
export function composeRetention(foundation: Foundation, services: Services): PeriodicTask[] {
  const { config, clock, database, webhookSecrets } = foundation;
  const ofChallenges = retentionTasks({
    sweep: createSweepStore(database.db),
    assets: services.challengeParts.assets,
    clock,
    idempotency: services.idempotency,
    resultRetentionDays: config.RESULT_RETENTION_DAYS,
    replayWindowDays: config.limits.replayWindowDays,
    auditRetentionDays: config.limits.auditRetentionDays,
  });
  const ofFeatids = featidTasks(createFeatidUpkeepStore(database.db), createPictureStore(database.db), {
    unusedDays: config.FEATID_RETENTION_DAYS ?? null,
    tombstoneDays: config.limits.tombstoneDays,
  });
  const ofWebhooks = webhookTasks({
    deliveries: createDeliveryStore(database.db),
    secrets: webhookSecrets,
    resultRetentionDays: config.RESULT_RETENTION_DAYS,
  });
  const ofLogins = oidcTasks(createRecordStore(database.db), createLoginStore(database.db));
  return [...ofChallenges, ...ofFeatids, ...ofWebhooks, ...ofLogins];
}

/** Starts every task of this instance. */
export function startSweeps(foundation: Foundation, services: Services): Sweeper {
  const { database, log } = foundation;
  const presence = createWorkerPresence(database.directConnectionString, database.db, log);
  const tasks = challengeTasks({
    ...services.challengeParts,
    sweep: createSweepStore(database.db),
    rewriteKeys: async () => (await rewriteErased(database.db, 'due', log)).rewritten,
    presence,
  });
  const ofKeys = foundation.config.OIDC === 'on' ? [signingKeyTask(composeSigningKeys(foundation))] : [];
  const retention = [...composeRetention(foundation, services), ...ofKeys].map(
    inTurn(createTaskTurns(database.db), log),
  );
  const noting = { name: 'note presence', everyMs: NOTE_EVERY_MS, run: () => notePresence(database.db) };
  const sweeper = startSweeper([noting, ...tasks, ...retention], log);
  return {
    stop: async () => {
      await sweeper.stop();
      await presence.close();
    },
  };
}
