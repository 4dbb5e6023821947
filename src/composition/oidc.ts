// Builds the OpenID Provider if OIDC=on, and the parts that the command line and the sweeps always need.

import { USER_AGENT } from '../config/version.ts';
import { oidcErrorPages } from '../http/routes/oidc.ts';
import type { HttpSettings } from '../http/services.ts';
import { ensureProviderKey, PROVIDER_HOLDER } from '../keys/provider-key.ts';
import { providerKeyStore } from '../keys/tables/wrapped-keys.ts';
import { type Clients, createClients } from '../oidc/clients.ts';
import { createLogins } from '../oidc/logins.ts';
import type { Oidc } from '../oidc/provider.ts';
import { createSigningKeys, type SigningKeys } from '../oidc/signing-keys.ts';
import { createSubjects, type Subjects } from '../oidc/subjects.ts';
import { createClientStore } from '../oidc/tables/clients.ts';
import { createLoginStore, createRecordStore, createSigningKeyStore } from '../oidc/tables/records.ts';
import { createSubjectStore } from '../oidc/tables/subjects.ts';
import type { GuardedAgent } from '../outbound/guarded-agent.ts';
import { createGuardedFetch } from '../outbound/guarded-fetch.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

/** What an operator administers in the provider. It does not load the provider's library. */
export interface OidcAdministration {
  readonly clients: Clients;
  readonly subjects: Subjects;
  readonly keys: SigningKeys;
}

export async function composeOidcAdministration(foundation: Foundation): Promise<OidcAdministration> {
  const { config, database, keys: custody, masterKeys } = foundation;
  const { db } = database;
  await ensureProviderKey(masterKeys, providerKeyStore(db));
  return {
    clients: createClients({
      store: createClientStore(db),
      production: config.MODE === 'production',
    }),
    subjects: createSubjects({ store: createSubjectStore(db), custody }),
    keys: composeSigningKeys(foundation),
  };
}

/** The administration that provider and console share in a process that serves requests; null with OIDC=off. */
export async function composeLogins(foundation: Foundation): Promise<OidcAdministration | null> {
  return foundation.config.OIDC === 'on' ? composeOidcAdministration(foundation) : null;
}

/** The keys that sign tokens. They need the provider's key, which `composeOidcAdministration` makes. */
export function composeSigningKeys({ config, database, clock, keys: custody }: Foundation): SigningKeys {
  const store = createSigningKeyStore(database.db);
  return createSigningKeys({ store, custody, clock, days: config.limits.signingKeyDays });
}

/**
 * Builds the provider; null with OIDC=off, so that its library is not loaded.
 * @param administration null with OIDC=off
 */
export async function composeOidc(
  foundation: Foundation,
  administration: OidcAdministration | null,
  services: Pick<Services, 'challenges' | 'featids' | 'agent'>,
  settings: Pick<HttpSettings, 'capturePageDir' | 'baseUrl'>,
): Promise<Oidc | null> {
  const { config, database, log, keys: custody, accounts } = foundation;
  if (administration === null) return null;
  const { clients, subjects, keys } = administration;
  const [{ createOidc }, { createIssuerHints }] = await Promise.all([
    import('../oidc/provider.ts'),
    import('../oidc/issuer-hints.ts'),
  ]);
  const logins = createLogins({ store: createLoginStore(database.db), custody });
  return createOidc({
    clients,
    subjects,
    keys,
    logins,
    log,
    adapter: { store: createRecordStore(database.db), custody, clients },
    issuerHints: createIssuerHints(fetchJwks(services.agent)),
    cookieKey: (await custody.deriveKey(PROVIDER_HOLDER, 'oidc-cookies')).toString('base64url'),
    issuer: `${config.baseUrl}/oidc`,
    errorPage: oidcErrorPages(settings),
    flow: {
      subjects,
      logins,
      challenges: services.challenges,
      featids: services.featids,
      findAccount: (accountId) => accounts.find(accountId),
    },
  });
}

// Chosen, not measured: Entra's keys are about 10 kB.
const JWKS_LIMITS = { timeoutMs: 5_000, maxBodyBytes: 200_000, requireHttps: false };

/** Fetches an issuer's keys through the guarded agent. */
function fetchJwks(agent: GuardedAgent): typeof globalThis.fetch {
  const fetch = createGuardedFetch(agent, { ...JWKS_LIMITS, userAgent: USER_AGENT });
  return async (input) =>
    fetch(String(input), {
      method: 'GET',
      headers: { accept: 'application/json, application/jwk-set+json' },
    });
}
