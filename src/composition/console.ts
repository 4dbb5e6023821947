// Builds the operator's console if a password is configured.
import { kept } from '../base/kept.ts';
import { createConsole } from '../console/console.ts';
import { asHash, deriveCredentialKey, verifyPassword } from '../console/password.ts';
import { createSessions } from '../console/sessions.ts';
import { createSignIn } from '../console/sign-in.ts';
import { createConsoleSessionStore, createUsedCodes } from '../console/tables/session-store.ts';
import { createConsoleStore } from '../console/tables/store.ts';
import { scoreDistribution } from '../evaluation/recognition/score-distribution.ts';
import type { ConsolePage, ConsoleServices } from '../http/services.ts';
import { readPack } from '../models/packs/read-pack.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** A report loads the networks and opens a thousand seals: not for each click. */
const ASSURANCE_KEPT_MS = 60_000;

/**
 * Null without a password.
 * @param furtherPages those of rooms that the console does not know
 * @throws Fault CONFIG_INVALID if the second factor's secret cannot be read
 */
export async function composeConsole(
  foundation: Foundation,
  services: Services,
  furtherPages: readonly ConsolePage[],
  verify: typeof verifyPassword = verifyPassword,
): Promise<ConsoleServices | null> {
  const { config, database, clock, accounts, webhookSecrets } = foundation;
  const password = config.CONSOLE_PASSWORD;
  if (!password) return null;
  const pack = readPack(config.RECOGNISER_PACK, config.modelsDir);
  const totpSecret = config.CONSOLE_TOTP_SECRET ?? null;
  const credentialKey = await deriveCredentialKey(password, totpSecret);
  return {
    consoleOf: createConsole({
      store: createConsoleStore(database.reports),
      challenge: services.challengeParts,
      deliveries: services.deliveries,
      accounts,
      webhookSecrets,
      scores: scoreDistribution(pack, config.RECOGNITION_TARGET_FMR),
      retention: {
        assetDays: config.ASSET_RETENTION_DAYS,
        resultDays: config.RESULT_RETENTION_DAYS,
        auditDays: config.limits.auditRetentionDays,
      },
    }),
    furtherPages,
    sessions: createSessions(createConsoleSessionStore(database.db), credentialKey),
    signIn: createSignIn({
      passwordHash: await asHash(password),
      totpSecret,
      usedCodes: createUsedCodes(database.db),
      clock,
      verify,
    }),
    makeAssurance: kept(clock, ASSURANCE_KEPT_MS, async () => {
      // Imported only here: the networks' runtime, which this process needs for nothing else, takes a hundred megabytes.
      const { makeAssurance } = await import('./assurance.ts');
      const { page, report } = await makeAssurance(foundation, null);
      return { page, madeAt: new Date(report.iat * 1000) };
    }),
  };
}
