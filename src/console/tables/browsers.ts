// The families of browsers in which challenges were begun.
import { sql } from 'kysely';
import { hashSecret } from '../../base/secrets.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { browserFamily } from '../browsers.ts';

/** Notes in which browser the challenge of a link was begun; the first one stays. */
export type NoteBrowser = (linkToken: string, userAgent: string | undefined) => Promise<void>;

export const createBrowserNotes =
  (db: Database): NoteBrowser =>
  async (linkToken, userAgent = '') => {
    await sql`insert into challenge_browser (challenge_id, family)
      select id, ${browserFamily(userAgent)} from challenge where link_hash = ${hashSecret(linkToken)}
      on conflict do nothing`.execute(db);
  };
