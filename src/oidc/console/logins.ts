// Clients of the OpenID Provider: how an operator registers, views and removes them.

import type { ChallengeServices } from '../../challenge/services.ts';
import type { Accounts } from '../../keys/accounts.ts';
import type { AddOutcome, Clients, ClientTexts, RewordOutcome } from '../clients.ts';
import { erasePerson } from '../erase-person.ts';
import type { Subjects } from '../subjects.ts';
import type { OidcClient } from '../tables/clients.ts';
import type {
  ConsoleLoginClient,
  CreatedLoginClient,
  ErasedPerson,
  ErasureOfPerson,
  LoginTexts,
  NewLoginClient,
} from './messages.ts';

/** What the console needs from the provider. */
export interface LoginParts {
  readonly clients: Pick<Clients, 'add' | 'find' | 'list' | 'reword' | 'replaceSecret' | 'remove'>;
  readonly subjects: Pick<Subjects, 'countOf' | 'erase' | 'findBySub' | 'findByName' | 'checksOf'>;
  readonly challenges: Pick<ChallengeServices, 'list' | 'erase'>;
  readonly accounts: Pick<Accounts, 'list' | 'find'>;
}

export type AddedLogin =
  | { readonly status: 'added'; readonly made: CreatedLoginClient }
  | { readonly status: 'no_account' }
  | Exclude<AddOutcome, { status: 'added' }>;

/** Every change writes its audit line in the same transaction. */
export interface ConsoleLogins {
  list(): Promise<ConsoleLoginClient[]>;
  add(request: NewLoginClient): Promise<AddedLogin>;
  /** Changes the texts that people read, from their next check on. */
  reword(clientId: string, texts: LoginTexts): Promise<RewordOutcome>;
  /** Replaces the secret; the old one is invalid at once. Null if there is no such client, or it has no secret. */
  replaceSecret(clientId: string): Promise<CreatedLoginClient | null>;
  remove(clientId: string): Promise<boolean>;
  /** Forgets a person, with every check. Null if there is no such client, or it knows nobody by this name. */
  erasePerson(clientId: string, named: ErasureOfPerson): Promise<ErasedPerson | null>;
}

/**
 * The logins as one session sees them.
 * @param seen audits that they were viewed
 */
export function createConsoleLogins(
  { clients, subjects, accounts, challenges }: LoginParts,
  operator: string,
  seen: () => Promise<void>,
): ConsoleLogins {
  return {
    list: async () => {
      await seen();
      const [all, owners] = await Promise.all([clients.list(), accounts.list()]);
      const names = new Map(owners.map(({ id, name }) => [id, name]));
      return Promise.all(
        all.map(async (client) =>
          describe(
            client,
            names.get(client.accountId) ?? client.accountId,
            await subjects.countOf(client.id),
          ),
        ),
      );
    },
    add: async (request) => {
      const account = await accounts.find(request.account_id);
      if (!account) return { status: 'no_account' };
      const added = await clients.add(account, requestOf(request), operator);
      if (added.status !== 'added') return added;
      return { status: 'added', made: { client_id: added.client.id, client_secret: added.secret } };
    },
    reword: (clientId, texts) => clients.reword(clientId, textsOf(texts), operator),
    replaceSecret: async (clientId) => {
      const secret = await clients.replaceSecret(clientId, operator);
      return secret === null ? null : { client_id: clientId, client_secret: secret };
    },
    remove: (clientId) => clients.remove(clientId, operator),
    erasePerson: async (clientId, named) => {
      const client = await clients.find(clientId);
      const checks = client && (await erasePerson({ subjects, challenges }, client, named, operator));
      return checks === null ? null : { checks };
    },
  };
}

const requestOf = (request: NewLoginClient): Parameters<Clients['add']>[1] => ({
  name: request.name,
  redirectUris: request.redirect_uris,
  authMethod: request.auth_method,
  enrolment: request.enrol ? 'authenticated' : 'never',
  deviceBinding: request.device_binding,
  requirePar: request.require_par,
  sessionSeconds: request.session_seconds,
  ...textsOf(request),
});

const textsOf = (texts: LoginTexts): ClientTexts => ({
  displayName: texts.display_name,
  purpose: texts.purpose,
  privacyUrl: texts.privacy_url,
  consentText: texts.consent_text,
});

function describe(
  { id, name, settings, createdAt }: OidcClient,
  accountName: string,
  people: number,
): ConsoleLoginClient {
  const { redirect_uris, auth_method, profile, device_binding, require_par, session_seconds } = settings;
  const { display_name, purpose, consent_text, privacy_url } = settings;
  return {
    client_id: id,
    name,
    account_name: accountName,
    people,
    created_at: createdAt.toISOString(),
    redirect_uris,
    auth_method,
    profile,
    device_binding,
    require_par,
    session_seconds,
    display_name,
    purpose,
    consent_text,
    privacy_url,
    enrols: settings.enrolment === 'authenticated',
  };
}
