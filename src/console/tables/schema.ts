// The tables of the console as Kysely types; src/storage/migrations has their SQL.
import type { Generated } from 'kysely';
import type { CreatedAt } from '../../storage/postgres/column-types.ts';

interface ConsoleSessionTable {
  id: string;
  token_hash: Buffer;
  created_at: CreatedAt;
  last_used_at: Generated<Date>;
  expires_at: Date;
}

interface ConsoleUsedCodeTable {
  step: number;
  used_at: CreatedAt;
}

declare module '../../storage/postgres/schema.ts' {
  interface Schema {
    console_session: ConsoleSessionTable;
    console_used_code: ConsoleUsedCodeTable;
  }
}
