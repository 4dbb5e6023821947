// Likeness as a login: builds the OpenID Provider if OIDC=on, and what it adds to the servers and to the console.
import { USER_AGENT } from '../../config/version.ts';
import type { BrowserBinding, ConsolePage, FurtherRoutes } from '../../http/services.ts';
import type { HttpSettings } from '../../http/settings.ts';
import type { OidcAdministration } from '../../oidc/administration.ts';
import { loginsPage } from '../../oidc/console/routes.ts';
import { PROVIDER_HOLDER } from '../../oidc/holder.ts';
import { createLogins } from '../../oidc/logins.ts';
import type { Oidc } from '../../oidc/provider.ts';
import { LOGIN_COOKIE, OIDC_PREFIX, oidcErrorPages, oidcRoutes } from '../../oidc/routes.ts';
import { createLoginStore, createRecordStore } from '../../oidc/tables/records.ts';
import type { GuardedAgent } from '../../outbound/guarded-agent.ts';
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts';
import type { Foundation } from '../foundation.ts';
import type { Services } from '../services.ts';
import { composeOidcAdministration } from './administration.ts';

/** What the login adds to a process that serves requests. */
export interface LoginParts {
  readonly furtherRoutes: readonly FurtherRoutes[];
  readonly browserTie: BrowserBinding | null;
  readonly consolePages: readonly ConsolePage[];
}

/** Nothing with OIDC=off, so that the provider's library is not loaded. */
export async function composeLogin(
  foundation: Foundation,
  services: Pick<Services, 'challenges' | 'featids' | 'agent'>,
  settings: HttpSettings,
): Promise<LoginParts> {
  if (foundation.config.OIDC === 'off') return { furtherRoutes: [], browserTie: null, consolePages: [] };
  const administration = await composeOidcAdministration(foundation);
  const oidc = await composeProvider(foundation, administration, services, settings);
  return {
    furtherRoutes: [{ prefix: OIDC_PREFIX, routes: oidcRoutes(oidc, settings) }],
    browserTie: { cookie: LOGIN_COOKIE, mayTake: oidc.mayTake },
    consolePages: [
      loginsPage({
        ...administration,
        accounts: foundation.accounts,
        challenges: services.challenges,
      }),
    ],
  };
}

async function composeProvider(
  foundation: Foundation,
  { clients, subjects, keys }: OidcAdministration,
  services: Pick<Services, 'challenges' | 'featids' | 'agent'>,
  settings: HttpSettings,
): Promise<Oidc> {
  const { config, database, log, keys: custody, accounts } = foundation;
  const [{ createOidc }, { createIssuerHints }] = await Promise.all([
    import('../../oidc/provider.ts'),
    import('../../oidc/issuer-hints.ts'),
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
    issuer: `${config.baseUrl}${OIDC_PREFIX}`,
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
