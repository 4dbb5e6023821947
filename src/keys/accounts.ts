// Accounts and their API keys: creation, listing, rotation, revocation, and authentication of every request.
import { type Authentication, createAuthentication } from './authentication.ts';
import {
  type CreatedKey,
  type IssuedApiKey,
  issueAccount,
  issueKey,
  issueSandboxKey,
  newApiKey,
} from './issue.ts';
import type { MasterKeys } from './master-key-ring.ts';
import type { Actor } from './principal.ts';
import { createRecentKeys } from './recent-keys.ts';
import type { Account, AccountStore } from './tables/account-store.ts';
import type { ApiKey, ApiKeyStore } from './tables/api-key-store.ts';

interface GivenDetails {
  readonly name: string;
  readonly displayName?: string;
  readonly privacyUrl?: string;
  readonly purpose?: string;
}

export interface Accounts extends Authentication {
  /**
   * Creates an account with its own key, a live API key and a webhook secret; the latter two are returned only here.
   */
  create(
    details: GivenDetails,
    actor: Actor,
  ): Promise<
    | { status: 'created'; accountId: string; apiKey: IssuedApiKey; webhookSecret: string }
    | { status: 'name_taken' }
  >;
  find(accountId: string): Promise<Account | undefined>;
  findByName(name: string): Promise<Account | undefined>;
  /** The sandbox of a live account, if it has one. */
  findSandboxOf(accountId: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
  /**
   * Creates a key. A sandbox key belongs to the account's sandbox, a separate account that is created with its first
   * key, so that sandbox and live account share nothing. All keys of a sandbox are sandbox keys.
   */
  createKey(account: Account, options: { sandbox: boolean }, actor: Actor): Promise<CreatedKey>;
  listKeys(accountId: string): Promise<ApiKey[]>;
  revokeKey(accountId: string, keyId: string, actor: Actor): Promise<boolean>;
  /** Creates a key of the same kind; the old one works for `overlapSeconds` more. Null if there is no such key. */
  rotateKey(
    key: { id: string; accountId: string; sandbox: boolean },
    overlapSeconds: number,
    actor: Actor,
  ): Promise<IssuedApiKey | null>;
}

export function createAccounts(stores: {
  accounts: AccountStore;
  apiKeys: ApiKeyStore;
  masterKeys: MasterKeys;
  isDevelopment?: boolean;
}): Accounts {
  const { accounts, apiKeys } = stores;
  const recent = createRecentKeys();
  const parts = { ...stores, recent };
  return {
    ...createAuthentication(apiKeys, recent),
    create: async ({ name, displayName = name, privacyUrl = null, purpose = null }, actor) => {
      const details = { name, displayName, privacyUrl, purpose, sandboxOf: null };
      const made = await issueAccount(parts, details, actor);
      return made ? { status: 'created', ...made } : { status: 'name_taken' };
    },
    find: (accountId) => accounts.find(accountId),
    findByName: (name) => accounts.findByName(name),
    findSandboxOf: (accountId) => accounts.findSandboxOf(accountId),
    list: () => accounts.list(),
    createKey: (account, { sandbox }, actor) =>
      (sandbox && account.sandboxOf === null ? issueSandboxKey : issueKey)(parts, account, actor),
    listKeys: (accountId) => apiKeys.list(accountId),
    revokeKey: async (accountId, keyId, actor) => {
      const revoked = await apiKeys.revoke(accountId, keyId, actor);
      recent.forget();
      return revoked;
    },
    rotateKey: async (key, overlapSeconds, actor) => {
      const { row, issued } = newApiKey(parts, key.accountId, key.sandbox);
      const replaced = await apiKeys.replace(key.id, row, overlapSeconds, actor);
      recent.forget();
      if (replaced) recent.trust([row.hash]);
      return replaced ? issued : null;
    },
  };
}
