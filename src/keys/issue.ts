// Issues accounts and API keys: the only place that gives out the text of a key and of an account's first webhook
// secret.
import { randomBytes } from 'node:crypto';
import { Fault } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { generateApiKey, hashApiKey, hintOfApiKey } from './api-key.ts';
import { KEY_BYTES, type MasterKeys } from './master-key-ring.ts';
import type { Actor } from './principal.ts';
import type { RecentKeys } from './recent-keys.ts';
import { sealRecord } from './seal.ts';
import type { Account, AccountDetails, AccountStore } from './tables/account-store.ts';
import type { ApiKeyStore, NewApiKey } from './tables/api-key-store.ts';
import { issueWebhookSecret } from './webhook-secrets.ts';

/** A new key. */
export interface IssuedApiKey {
  readonly id: string;
  readonly key: string;
  readonly sandbox: boolean;
}

/** A new key and its account. */
export interface CreatedKey extends IssuedApiKey {
  readonly accountId: string;
  /** The webhook secret of a sandbox that was made with this key; null for any other key. */
  readonly webhookSecret: string | null;
}

/** A new account with its first key and its webhook secret. */
interface IssuedAccount {
  readonly accountId: string;
  readonly apiKey: IssuedApiKey;
  readonly webhookSecret: string;
}

export interface IssuerParts {
  readonly accounts: AccountStore;
  readonly apiKeys: ApiKeyStore;
  readonly masterKeys: MasterKeys;
  /** Whether keys outside a sandbox say that they belong to development; default: no. */
  readonly isDevelopment?: boolean;
  /** Told to trust each new key. */
  readonly recent: RecentKeys;
}

/** Creates an account; null if its name is taken, or the live account already has a sandbox. */
export async function issueAccount(
  parts: IssuerParts,
  details: Omit<AccountDetails, 'id'>,
  actor: Actor,
): Promise<IssuedAccount | null> {
  const { accounts, masterKeys, recent } = parts;
  const id = newId('account');
  const accountKey = randomBytes(KEY_BYTES);
  const { row: apiKey, issued } = newApiKey(parts, id, details.sandboxOf !== null);
  const webhook = await issueWebhookSecret((...record) => sealRecord(accountKey, ...record));
  const key = await masterKeys.wrap(id, accountKey);
  const inserted = await accounts.insert({ ...details, id, key, apiKey, webhookSecret: webhook.row }, actor);
  if (inserted === 'taken') return null;
  recent.trust([apiKey.hash]);
  return { accountId: id, apiKey: issued, webhookSecret: webhook.secret };
}

/** Issues a further key for an account, of the account's kind (live or sandbox). */
export async function issueKey(parts: IssuerParts, account: Account, actor: Actor): Promise<CreatedKey> {
  const { row, issued } = newApiKey(parts, account.id, account.sandboxOf !== null);
  await parts.apiKeys.insert(row, actor);
  parts.recent.trust([row.hash]);
  return { ...issued, accountId: account.id, webhookSecret: null };
}

/**
 * Issues a key for the sandbox of a live account; the first one creates the sandbox.
 * @throws Fault SERVICE_REFUSED if the sandbox's name is taken
 */
export async function issueSandboxKey(parts: IssuerParts, live: Account, actor: Actor): Promise<CreatedKey> {
  const { accounts } = parts;
  const { name, displayName, privacyUrl, purpose, id: sandboxOf } = live;
  const known = await accounts.findSandboxOf(sandboxOf);
  if (known) return issueKey(parts, known, actor);
  const details = { name: `${name} (sandbox)`, displayName, privacyUrl, purpose, sandboxOf };
  const made = await issueAccount(parts, details, actor);
  if (made) return { ...made.apiKey, accountId: made.accountId, webhookSecret: made.webhookSecret };
  // Another call may have created it just now.
  const other = await accounts.findSandboxOf(sandboxOf);
  if (!other) throw new Fault('SERVICE_REFUSED', `an account named ${details.name} already exists`);
  return issueKey(parts, other, actor);
}

/** A new key's row, and its text. */
export function newApiKey(
  { isDevelopment }: Pick<IssuerParts, 'isDevelopment'>,
  accountId: string,
  sandbox: boolean,
): { row: NewApiKey; issued: IssuedApiKey } {
  const key = generateApiKey(sandbox ? 'test' : isDevelopment ? 'dev' : 'live');
  const id = newId('apiKey');
  return {
    row: { id, accountId, hash: hashApiKey(key), hint: hintOfApiKey(key), sandbox },
    issued: { id, key: key.text, sandbox },
  };
}
