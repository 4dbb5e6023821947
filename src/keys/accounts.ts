// Accounts and their API keys: made, listed, rotated, revoked, and recognised at the door of every request.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Fault } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type ApiKeyText, generateApiKey, hashApiKey, hintOfApiKey } from './api-key.ts';
import { KEY_BYTES, type MasterKeys, type WrappedKey } from './master-key-ring.ts';
import type { Principal } from './principal.ts';
import { createRecentKeys, type KeyStanding } from './recent-keys.ts';
import { sealRecord } from './seal.ts';
import { issueWebhookSecret, type SealedWebhookSecret } from './webhook-secrets.ts';

/** A client of the service. */
export interface Account {
  readonly id: string;
  /** Unique; for operators. */
  readonly name: string;
  /** What the privacy screen shows. */
  readonly displayName: string;
  readonly privacyUrl: string | null;
  readonly purpose: string | null;
  /** The live account that this one is the sandbox of; null for a live one. */
  readonly sandboxOf: string | null;
  readonly createdAt: Date;
}

/** An API key as lists show it. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly hint: string;
  readonly sandbox: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
}

/** Who acts, for the audit log: the id of an API key, `operator`, or `system`. */
type Actor = string;

/** An account with all that it needs to work: inserted whole or not at all. */
interface NewAccount extends Omit<Account, 'createdAt'> {
  readonly key: WrappedKey;
  readonly apiKey: NewApiKey;
  readonly webhookSecret: SealedWebhookSecret;
}

export interface NewApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly hash: Buffer;
  readonly hint: string;
  readonly sandbox: boolean;
}

/** The account table (src/storage). Every change writes its audit row in the same transaction. */
export interface AccountStore {
  /** `taken`: the name, or the place of the sandbox. */
  insert(account: NewAccount, actor: Actor): Promise<'inserted' | 'taken'>;
  find(accountId: string): Promise<Account | undefined>;
  findByName(name: string): Promise<Account | undefined>;
  findSandboxOf(accountId: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
  readWrappedKey(accountId: string): Promise<WrappedKey | undefined>;
}

/** The API key table (src/storage). Every change writes its audit row in the same transaction. */
export interface ApiKeyStore {
  insert(key: NewApiKey, actor: Actor): Promise<void>;
  /** Newest first, revoked and expired ones too. */
  list(accountId: string): Promise<ApiKey[]>;
  /** The key with this hash if it is in force by the database's clock; notes its use, to the minute. */
  findInForce(
    hash: Buffer,
  ): Promise<{ id: string; accountId: string; sandbox: boolean; hash: Buffer } | undefined>;
  /** Hashes of keys in force that were used within so many days, the latest first. */
  listUsedLately(days: number, limit: number): Promise<Buffer[]>;
  /** False where the account has no such key in force. */
  revoke(accountId: string, keyId: string, actor: Actor): Promise<boolean>;
  /** Inserts `next` and lets `keyId` end after the overlap. False where the account has no such key in force. */
  replace(keyId: string, next: NewApiKey, overlapSeconds: number, actor: Actor): Promise<boolean>;
}

/** A key just made: the only moment at which its text exists. */
interface IssuedApiKey {
  readonly id: string;
  readonly key: string;
  readonly sandbox: boolean;
}

/** A key just made, and whose it is. */
interface CreatedKey extends IssuedApiKey {
  readonly accountId: string;
  /** What signs the webhooks of a sandbox that was made with this key; null for any other key. */
  readonly webhookSecret: string | null;
}

interface AccountDetails {
  readonly name: string;
  readonly displayName?: string;
  readonly privacyUrl?: string;
  readonly purpose?: string;
}

export interface Accounts {
  /** Makes an account with its own key, a live API key and a webhook secret; both are given out here, once. */
  create(
    details: AccountDetails,
    actor: Actor,
  ): Promise<
    | { status: 'created'; accountId: string; apiKey: IssuedApiKey; webhookSecret: string }
    | { status: 'nameTaken' }
  >;
  find(accountId: string): Promise<Account | undefined>;
  findByName(name: string): Promise<Account | undefined>;
  /** The sandbox of a live account, where it has one. */
  findSandboxOf(accountId: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
  /**
   * A new key. A sandbox key is one of the account's sandbox: an account of its own, made with its first key, so that
   * nothing of the sandbox is known to the live account or the other way round. The keys of a sandbox are sandbox keys.
   */
  createKey(account: Account, options: { sandbox: boolean }, actor: Actor): Promise<CreatedKey>;
  listKeys(accountId: string): Promise<ApiKey[]>;
  revokeKey(accountId: string, keyId: string, actor: Actor): Promise<boolean>;
  /** A new key of the same kind; the old one works for `overlapSeconds` more. Null where there is no such key. */
  rotateKey(
    key: { id: string; accountId: string; sandbox: boolean },
    overlapSeconds: number,
    actor: Actor,
  ): Promise<IssuedApiKey | null>;
  /** Learns which keys were used lately, so that they are trusted from the first request on. */
  recallKeysInUse(): Promise<void>;
  /** What this process knows of the key without asking the database. */
  recall(key: ApiKeyText): KeyStanding;
  /**
   * The principal whose key this is, or null. A key in use is looked up once a second: revoked by another process, it
   * works for at most one second more. A wrong one is looked up once a minute.
   */
  authenticate(key: ApiKeyText): Promise<Principal | null>;
}

/** Keys that a client uses so often are trusted by a process that has just started. */
const LATELY_DAYS = 30;
const MAX_RECALLED = 10_000;

export function createAccounts(parts: {
  accounts: AccountStore;
  apiKeys: ApiKeyStore;
  masterKeys: MasterKeys;
}): Accounts {
  const { accounts, apiKeys, masterKeys } = parts;
  const recent = createRecentKeys();
  const insertAccount = async (details: Omit<Account, 'id' | 'createdAt'>, actor: Actor) => {
    const id = newId('account');
    const accountKey = randomBytes(KEY_BYTES);
    const { row: apiKey, issued } = issueKey(id, details.sandboxOf !== null);
    const webhook = await issueWebhookSecret((...record) => sealRecord(accountKey, ...record));
    const key = await masterKeys.wrap(id, accountKey);
    const inserted = await accounts.insert(
      { ...details, id, key, apiKey, webhookSecret: webhook.row },
      actor,
    );
    if (inserted === 'taken') return null;
    recent.trust([apiKey.hash]);
    return { accountId: id, apiKey: issued, webhookSecret: webhook.secret };
  };
  const addKey = async (account: Account, actor: Actor): Promise<CreatedKey> => {
    const { row, issued } = issueKey(account.id, account.sandboxOf !== null);
    await apiKeys.insert(row, actor);
    recent.trust([row.hash]);
    return { ...issued, accountId: account.id, webhookSecret: null };
  };
  const addSandboxKey = async (live: Account, actor: Actor): Promise<CreatedKey> => {
    const { name, displayName, privacyUrl, purpose, id: sandboxOf } = live;
    const known = await accounts.findSandboxOf(sandboxOf);
    if (known) return addKey(known, actor);
    const details = { name: `${name} (sandbox)`, displayName, privacyUrl, purpose, sandboxOf };
    const made = await insertAccount(details, actor);
    if (made) return { ...made.apiKey, accountId: made.accountId, webhookSecret: made.webhookSecret };
    // Made by another call at this moment.
    const other = await accounts.findSandboxOf(sandboxOf);
    if (!other) throw new Fault('SERVICE_REFUSED', `an account is named ${details.name} already`);
    return addKey(other, actor);
  };
  return {
    create: async ({ name, displayName = name, privacyUrl = null, purpose = null }, actor) => {
      const made = await insertAccount({ name, displayName, privacyUrl, purpose, sandboxOf: null }, actor);
      return made ? { status: 'created', ...made } : { status: 'nameTaken' };
    },
    find: (accountId) => accounts.find(accountId),
    findByName: (name) => accounts.findByName(name),
    findSandboxOf: (accountId) => accounts.findSandboxOf(accountId),
    list: () => accounts.list(),
    createKey: (account, { sandbox }, actor) =>
      sandbox && account.sandboxOf === null ? addSandboxKey(account, actor) : addKey(account, actor),
    listKeys: (accountId) => apiKeys.list(accountId),
    revokeKey: async (accountId, keyId, actor) => {
      const revoked = await apiKeys.revoke(accountId, keyId, actor);
      recent.forget();
      return revoked;
    },
    rotateKey: async (key, overlapSeconds, actor) => {
      const { row, issued } = issueKey(key.accountId, key.sandbox);
      const replaced = await apiKeys.replace(key.id, row, overlapSeconds, actor);
      recent.forget();
      if (replaced) recent.trust([row.hash]);
      return replaced ? issued : null;
    },
    recallKeysInUse: async () => recent.trust(await apiKeys.listUsedLately(LATELY_DAYS, MAX_RECALLED)),
    recall: (key) => recent.standing(hashApiKey(key)),
    authenticate: async (key) => {
      const hash = hashApiKey(key);
      const known = recent.find(hash);
      if (known) return known;
      if (recent.standing(hash) === 'wrong') return null;
      const found = await apiKeys.findInForce(hash);
      // The index already compared, on a hash that a caller cannot steer; this keeps the decision out of its timing.
      const same = timingSafeEqual(hash, found?.hash ?? Buffer.alloc(hash.length));
      const isRight = found && same && found.sandbox === key.sandbox;
      const principal = isRight
        ? { accountId: found.accountId, keyId: found.id, sandbox: found.sandbox }
        : null;
      recent.keep(hash, principal);
      return principal;
    },
  };
}

function issueKey(accountId: string, sandbox: boolean): { row: NewApiKey; issued: IssuedApiKey } {
  const key = generateApiKey(sandbox);
  const id = newId('apiKey');
  return {
    row: { id, accountId, hash: hashApiKey(key), hint: hintOfApiKey(key), sandbox },
    issued: { id, key: key.text, sandbox },
  };
}
