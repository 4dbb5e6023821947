// Joins the operator's console, where a password is configured.
import { packChoice } from '../config.ts';
import { createConsole } from '../console/console.ts';
import { asHash } from '../console/password.ts';
import { createSessions } from '../console/sessions.ts';
import { scoreDistribution } from '../evaluation/recognition/score-distribution.ts';
import type { ConsoleServices } from '../http/services.ts';
import { readPacks } from '../models/packs/read-pack.ts';
import { createConsoleSessionStore } from '../storage/postgres/console-session-store.ts';
import { createConsoleStore } from '../storage/postgres/console-store.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

export async function composeConsole(
  foundation: Foundation,
  services: Services,
): Promise<ConsoleServices | null> {
  const { config, database, accounts, webhookSecrets } = foundation;
  if (!config.CONSOLE_PASSWORD) return null;
  const [pack] = readPacks(packChoice(config));
  return {
    console: createConsole({
      store: createConsoleStore(database.db),
      challenge: services.challengeParts,
      deliveries: services.deliveries,
      accounts,
      webhookSecrets,
      scores: pack ? scoreDistribution(pack, config.RECOGNITION_TARGET_FMR) : null,
      retention: { assetDays: config.ASSET_RETENTION_DAYS, resultDays: config.RESULT_RETENTION_DAYS },
    }),
    sessions: createSessions(createConsoleSessionStore(database.db)),
    passwordHash: await asHash(config.CONSOLE_PASSWORD),
  };
}
