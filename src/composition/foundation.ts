// What every role and most CLI commands need: database, master keys, custody, accounts.
import { type Clock, systemClock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config.ts';
import { type AccountKeys, createAccountKeys } from '../keys/account-keys.ts';
import { type Accounts, createAccounts } from '../keys/accounts.ts';
import type { MasterKeys } from '../keys/master-key-ring.ts';
import { openMasterKeys } from '../keys/master-key-source.ts';
import { createWebhookSecrets, type WebhookSecrets } from '../keys/webhook-secrets.ts';
import { type OpenDatabase, openDatabase } from '../storage/open-database.ts';
import { createAccountStore } from '../storage/postgres/account-store.ts';
import { createApiKeyStore } from '../storage/postgres/api-key-store.ts';
import { createWebhookSecretStore } from '../storage/postgres/webhook-secret-store.ts';
import { prepareDataDir } from './data-dir.ts';
import { finishUpgrade } from './upgrade/finish-upgrade.ts';

export interface Foundation {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly database: OpenDatabase;
  readonly masterKeys: MasterKeys;
  readonly keys: AccountKeys;
  readonly accounts: Accounts;
  readonly webhookSecrets: WebhookSecrets;
  close(): Promise<void>;
}

/**
 * Opens the database (starting and migrating it where needed) and the keys.
 * @throws Fault of the data folder, the database, the master key or the configuration
 */
export async function openFoundation(config: Config, log: Logger): Promise<Foundation> {
  await prepareDataDir(config);
  const masterKeys = await openMasterKeys(config);
  const database = await openDatabase(config, log, { applicationName: `likeness ${config.ROLE}` });
  const foundation = composeFoundation({ config, log, clock: systemClock, database, masterKeys });
  await finishUpgrade(database.db, foundation.keys, log).catch(async (error) => {
    await foundation.close();
    throw error;
  });
  return foundation;
}

/** Joins what was opened. Closing the answer closes the database. */
export function composeFoundation(
  opened: Pick<Foundation, 'config' | 'log' | 'clock' | 'database' | 'masterKeys'>,
): Foundation {
  const { database, masterKeys } = opened;
  const accountStore = createAccountStore(database.db);
  const keys = createAccountKeys({ masterKeys, store: accountStore });
  return {
    ...opened,
    keys,
    accounts: createAccounts({ accounts: accountStore, apiKeys: createApiKeyStore(database.db), masterKeys }),
    webhookSecrets: createWebhookSecrets({ keys, store: createWebhookSecretStore(database.db) }),
    close: () => database.close(),
  };
}
