// The tables of idempotency records as Kysely types; src/storage/migrations has their SQL.
import type { CreatedAt } from '../../storage/postgres/column-types.ts';

interface IdempotencyRecordTable {
  account_id: string;
  path: string;
  key: string;
  fingerprint: Buffer;
  claim: string | null;
  sealed_answer: Buffer | null;
  challenge_id: string | null;
  created_at: CreatedAt;
  expires_at: Date;
}

declare module '../../storage/postgres/schema.ts' {
  interface Schema {
    idempotency_record: IdempotencyRecordTable;
  }
}
