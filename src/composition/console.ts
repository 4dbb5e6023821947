// Joins the operator's console, where a password is configured.
import { createConsole } from '../console/console.ts';
import { asHash } from '../console/password.ts';
import { createSessions } from '../console/sessions.ts';
import type { ConsoleServices } from '../http/services.ts';
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
  return {
    console: createConsole({
      store: createConsoleStore(database.db),
      challenge: services.challengeParts,
      deliveries: services.deliveries,
      accounts,
      webhookSecrets,
      retention: { assetDays: config.ASSET_RETENTION_DAYS, resultDays: config.RESULT_RETENTION_DAYS },
    }),
    sessions: createSessions(createConsoleSessionStore(database.db)),
    passwordHash: await asHash(config.CONSOLE_PASSWORD),
  };
}
