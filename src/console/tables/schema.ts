// The tables of the console as Kysely types; src/storage/migrations has their SQL.
import type { Generated, JSONColumnType } from 'kysely';
import type { ConsoleRole } from '../../contract/console.ts';
import type { CreatedAt } from '../../storage/postgres/column-types.ts';
import type { BrowserFamily } from '../browsers.ts';
import type { OpenidSettings } from '../openid-settings.ts';

interface ConsoleOpenidTable {
  id: string;
  settings: JSONColumnType<OpenidSettings>;
  sealed_client_secret: Buffer;
  created_at: CreatedAt;
}

interface ConsoleSessionTable {
  id: string;
  token_hash: Buffer;
  role: ConsoleRole;
  openid_id: string | null;
  subject: string | null;
  name: string | null;
  created_at: CreatedAt;
  last_used_at: Generated<Date>;
  expires_at: Date;
}

interface ConsoleUsedCodeTable {
  step: number;
  used_at: CreatedAt;
}

interface ChallengeBrowserTable {
  challenge_id: string;
  family: BrowserFamily;
}

declare module '../../storage/postgres/schema.ts' {
  interface Schema {
    console_openid: ConsoleOpenidTable;
    console_session: ConsoleSessionTable;
    console_used_code: ConsoleUsedCodeTable;
    challenge_browser: ChallengeBrowserTable;
  }
}
