// Composes the foundation from opened parts. Opening is a separate module, so that a deployment with its own database
// does not load the embedded server and the migrations.
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { createAccountKeys } from '../keys/account-keys.ts';
import { createAccounts } from '../keys/accounts.ts';
import type { MasterKeys } from '../keys/master-key-ring.ts';
import { createReceiptKeys } from '../keys/receipt-keys.ts';
import { createAccountStore } from '../keys/tables/account-store.ts';
import { createApiKeyStore } from '../keys/tables/api-key-store.ts';
import { createReceiptKeyStore } from '../keys/tables/receipt-key-store.ts';
import { createWebhookSecretStore } from '../keys/tables/webhook-secret-store.ts';
import { createWebhookSecrets } from '../keys/webhook-secrets.ts';
import type { OpenDatabase } from '../storage/open-database.ts';

interface Opened {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly database: OpenDatabase;
  readonly masterKeys: MasterKeys;
}

/** Composes the foundation. Closing it closes the database. */
export function composeFoundation(opened: Opened) {
  const { config, database, masterKeys } = opened;
  const accountStore = createAccountStore(database.db);
  const keys = createAccountKeys({ masterKeys, store: accountStore });
  return {
    ...opened,
    keys,
    accounts: createAccounts({
      accounts: accountStore,
      apiKeys: createApiKeyStore(database.db),
      masterKeys,
      isDevelopment: config.MODE === 'development',
    }),
    receiptKeys: createReceiptKeys({ masterKeys, store: createReceiptKeyStore(database.db) }),
    webhookSecrets: createWebhookSecrets({ keys, store: createWebhookSecretStore(database.db) }),
    close: () => database.close(),
  };
}
