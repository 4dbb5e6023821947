// Accounts and API keys as stored, and the ports of their tables (src/storage).
import type { WrappedKey } from './master-key-ring.ts';
import type { SealedWebhookSecret } from './webhook-secrets.ts';

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

/** An API key as shown in lists. */
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
export type Actor = string;

/** Whoever uses this deployment's command line. */
export const OPERATOR: Actor = 'operator';

/** What an account is created with; the rest is set later. */
export type AccountDetails = Omit<Account, 'createdAt'>;

/** An account with everything that it needs; inserted as a whole or not at all. */
interface NewAccount extends AccountDetails {
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

/** The account table. Every change writes its audit row in the same transaction. */
export interface AccountStore {
  /** `taken`: the name is in use, or the live account already has a sandbox. */
  insert(account: NewAccount, actor: Actor): Promise<'inserted' | 'taken'>;
  find(accountId: string): Promise<Account | undefined>;
  findByName(name: string): Promise<Account | undefined>;
  findSandboxOf(accountId: string): Promise<Account | undefined>;
  list(): Promise<Account[]>;
}

/** The API key table. Every change writes its audit row in the same transaction. */
export interface ApiKeyStore {
  insert(key: NewApiKey, actor: Actor): Promise<void>;
  /** Newest first, including revoked and expired keys. */
  list(accountId: string): Promise<ApiKey[]>;
  /** The key with this hash if it is in force by the database's clock; records its use, to the minute. */
  findInForce(
    hash: Buffer,
  ): Promise<{ id: string; accountId: string; sandbox: boolean; hash: Buffer } | undefined>;
  /** Hashes of keys in force that were used within this many days, latest first. */
  listUsedRecently(days: number, limit: number): Promise<Buffer[]>;
  /** False if the account has no such key in force. */
  revoke(accountId: string, keyId: string, actor: Actor): Promise<boolean>;
  /** Inserts `next` and lets `keyId` expire after the overlap. False if the account has no such key in force. */
  replace(keyId: string, next: NewApiKey, overlapSeconds: number, actor: Actor): Promise<boolean>;
}
