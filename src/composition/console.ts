// Builds the operator's console if people can sign in to it: by a password, by OpenID Connect, or by both.
import { cachedFor } from '../base/cached-for.ts';
import { createConsole } from '../console/console.ts';
import { CONSOLE_HOLDER } from '../console/holder.ts';
import { createOpenidConfiguration, type OpenidConfiguration } from '../console/openid/configuration.ts';
import { createOpenidSignIn } from '../console/openid/sign-in.ts';
import { asHash, deriveCredentialKey, verifyPassword } from '../console/password.ts';
import { createSessions } from '../console/sessions.ts';
import { createSignIn, type SignIn } from '../console/sign-in.ts';
import { createOpenidStore } from '../console/tables/openid-store.ts';
import { createConsoleSessionStore, createUsedCodes } from '../console/tables/session-store.ts';
import { createConsoleStore } from '../console/tables/store.ts';
import { scoreDistribution } from '../evaluation/recognition/score-distribution.ts';
import { createFeatidStore } from '../featid/tables/store.ts';
import type { ConsolePage, ConsoleServices } from '../http/services.ts';
import { ensureServiceKey } from '../keys/service-key.ts';
import { createServiceKeyStore } from '../keys/tables/wrapped-keys.ts';
import { readPack } from '../models/packs/read-pack.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** A report loads the networks and opens a thousand seals: not for each click. */
const ASSURANCE_KEPT_MS = 60_000;

/** How sign-in by OpenID Connect is set up, whether or not the console is on. */
export async function composeOpenid(foundation: Foundation): Promise<OpenidConfiguration> {
  const { database, keys, masterKeys } = foundation;
  await ensureServiceKey(masterKeys, createServiceKeyStore(database.db), CONSOLE_HOLDER);
  return createOpenidConfiguration(createOpenidStore(database.db), keys);
}

/**
 * Null if nobody can sign in.
 * @param furtherPages those of rooms that the console does not know
 * @throws Fault CONFIG_INVALID if the second factor's secret cannot be read
 */
export async function composeConsole(
  foundation: Foundation,
  services: Services,
  furtherPages: readonly ConsolePage[],
  verify: typeof verifyPassword = verifyPassword,
): Promise<ConsoleServices | null> {
  const { config, database, clock, keys: custody, log, accounts, webhookSecrets } = foundation;
  const password = config.CONSOLE_PASSWORD ?? null;
  const totpSecret = config.CONSOLE_TOTP_SECRET ?? null;
  if (password === null && (await createOpenidStore(database.db).read()) === null) return null;
  const configuration = await composeOpenid(foundation);
  const pack = readPack(config.RECOGNISER_PACK, config.modelsDir);
  return {
    consoleOf: createConsole({
      store: createConsoleStore(database.reports),
      challenge: services.challengeParts,
      eraseChallenge: services.challenges.erase,
      deliveries: services.deliveries,
      featids: createFeatidStore(database.db),
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
    sessions: createSessions(createConsoleSessionStore(database.db), {
      password: password === null ? null : await deriveCredentialKey(password, totpSecret),
      openid: await custody.deriveKey(CONSOLE_HOLDER, 'console-openid-sessions'),
    }),
    signIn: password === null ? null : await composeSignIn(foundation, password, totpSecret, verify),
    openid: createOpenidSignIn({ configuration, custody, clock, log }),
    makeAssurance: cachedFor(clock, ASSURANCE_KEPT_MS, async () => {
      // Imported only here: the networks' runtime, which this process needs for nothing else, takes a hundred megabytes.
      const { makeAssurance } = await import('./assurance.ts');
      const { page, report } = await makeAssurance(foundation, null);
      return { page, madeAt: new Date(report.iat * 1000) };
    }),
  };
}

async function composeSignIn(
  { database, clock }: Foundation,
  password: string,
  totpSecret: string | null,
  verify: typeof verifyPassword,
): Promise<SignIn> {
  const usedCodes = createUsedCodes(database.db);
  return createSignIn({ passwordHash: await asHash(password), totpSecret, usedCodes, clock, verify });
}
