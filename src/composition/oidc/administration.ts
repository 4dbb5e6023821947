// Builds what operators administer in the OpenID Provider, whether or not it is on.
import { ensureServiceKey } from '../../keys/service-key.ts';
import { createServiceKeyStore } from '../../keys/tables/wrapped-keys.ts';
import type { Administer, OidcAdministration } from '../../oidc/administration.ts';
import { createClients } from '../../oidc/clients.ts';
import { PROVIDER_HOLDER } from '../../oidc/holder.ts';
import { createSigningKeys, type SigningKeys } from '../../oidc/signing-keys.ts';
import { createSubjects } from '../../oidc/subjects.ts';
import { createClientStore } from '../../oidc/tables/clients.ts';
import { createSigningKeyStore } from '../../oidc/tables/records.ts';
import { createSubjectStore } from '../../oidc/tables/subjects.ts';
import type { Foundation } from '../foundation.ts';
import { withServices } from '../with-services.ts';

export async function composeOidcAdministration(foundation: Foundation): Promise<OidcAdministration> {
  const { config, database, keys: custody, masterKeys } = foundation;
  const { db } = database;
  await ensureServiceKey(masterKeys, createServiceKeyStore(db), PROVIDER_HOLDER);
  return {
    clients: createClients({
      store: createClientStore(db),
      production: config.MODE === 'production',
    }),
    subjects: createSubjects({ store: createSubjectStore(db), custody }),
    keys: composeSigningKeys(foundation),
  };
}

/** The keys that sign tokens. They need the provider's key, which `composeOidcAdministration` makes. */
export function composeSigningKeys({ config, database, clock, keys: custody }: Foundation): SigningKeys {
  const store = createSigningKeyStore(database.db);
  return createSigningKeys({ store, custody, clock, days: config.limits.signingKeyDays });
}

export const administerOidc: Administer = (work) =>
  withServices(async ({ challenges }, foundation) =>
    work({ ...(await composeOidcAdministration(foundation)), accounts: foundation.accounts, challenges }),
  );
