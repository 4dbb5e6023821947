// The tables of accounts, keys and secrets as Kysely types; src/storage/migrations has their SQL.
import type { Generated } from 'kysely';
import type { CreatedAt } from '../../storage/postgres/column-types.ts';

export interface AccountTable {
  id: string;
  name: string;
  display_name: string;
  privacy_url: string | null;
  purpose: string | null;
  sandbox_of: string | null;
  wrapped_key: Buffer;
  master_key_id: string;
  created_at: CreatedAt;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  hash: Buffer;
  hint: string;
  sandbox: Generated<boolean>;
  created_at: CreatedAt;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

interface WebhookSecretTable {
  id: string;
  account_id: string;
  sealed_secret: Buffer;
  created_at: CreatedAt;
  expires_at: Date | null;
}

interface ReceiptKeyTable {
  id: string;
  wrapped_key: Buffer;
  master_key_id: string;
  created_at: CreatedAt;
  retired_at: Date | null;
}

interface ServiceKeyTable {
  id: string;
  wrapped_key: Buffer;
  master_key_id: string;
}

interface ErasureKeyTable {
  slot: number;
  id: string;
  key: Buffer;
  video_key: Buffer | null;
  reference_tag: Buffer | null;
}

interface KeyBucketTable {
  bucket: number;
  side: Generated<number>;
}

interface KeyErasureTable {
  id: Generated<number>;
  bucket: number;
  due_at: Date;
}

declare module '../../storage/postgres/schema.ts' {
  interface Schema {
    account: AccountTable;
    api_key: ApiKeyTable;
    webhook_secret: WebhookSecretTable;
    receipt_key: ReceiptKeyTable;
    service_key: ServiceKeyTable;
    erasure_key: ErasureKeyTable;
    key_bucket: KeyBucketTable;
    key_erasure: KeyErasureTable;
  }
}
