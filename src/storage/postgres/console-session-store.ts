// Sessions of the console in PostgreSQL, by its own clock.
import { sql } from 'kysely';
import type { SessionStore } from '../../console/sessions.ts';
import type { Database } from './database.ts';

export function createConsoleSessionStore(db: Database): SessionStore {
  return {
    insert: async (tokenHash, lifeHours) => {
      // Whoever comes in sweeps out what is over.
      await db.deleteFrom('console_session').where('expires_at', '<', sql<Date>`now()`).execute();
      const expires_at = sql<Date>`now() + make_interval(hours => ${lifeHours})`;
      await db.insertInto('console_session').values({ token_hash: tokenHash, expires_at }).execute();
    },
    touch: async (tokenHash, idleMinutes) => {
      const touched = await db
        .updateTable('console_session')
        .set({ last_used_at: sql<Date>`now()` })
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', sql<Date>`now()`)
        .where('last_used_at', '>', sql<Date>`now() - make_interval(mins => ${idleMinutes})`)
        .returning('token_hash')
        .executeTakeFirst();
      return touched !== undefined;
    },
    remove: async (tokenHash) => {
      await db.deleteFrom('console_session').where('token_hash', '=', tokenHash).execute();
    },
  };
}
