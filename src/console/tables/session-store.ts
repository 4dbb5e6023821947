// Console sessions and used sign-in codes in PostgreSQL, by its own clock.
import { sql } from 'kysely';
import type { Database } from '../../storage/postgres/database.ts';
import type { SessionStore } from '../sessions.ts';
import type { UsedCodes } from '../sign-in.ts';

export function createConsoleSessionStore(db: Database): SessionStore {
  return {
    insert: async ({ id, tokenHash }, lifeHours) => {
      // Each sign-in deletes expired sessions.
      await db.deleteFrom('console_session').where('expires_at', '<', sql<Date>`now()`).execute();
      const expires_at = sql<Date>`now() + make_interval(hours => ${lifeHours})`;
      await db.insertInto('console_session').values({ id, token_hash: tokenHash, expires_at }).execute();
    },
    find: async (tokenHash, idleMinutes, isActivity) => {
      const { rows } = await sql<{ id: string }>`
        with open as (
          select id from console_session
          where token_hash = ${tokenHash} and expires_at > now()
            and last_used_at > now() - make_interval(mins => ${idleMinutes})),
        used as (
          update console_session set last_used_at = now() where ${isActivity} and id in (select id from open))
        select id from open`.execute(db);
      return rows[0]?.id ?? null;
    },
    remove: async (tokenHash) => {
      await db.deleteFrom('console_session').where('token_hash', '=', tokenHash).execute();
    },
    removeAll: async () => {
      await db.deleteFrom('console_session').execute();
    },
  };
}

export function createUsedCodes(db: Database): UsedCodes {
  return {
    // The same statement for right and wrong codes, so that timing does not tell them apart.
    claim: async (step, isRight) => {
      const { rows } = await sql`
        with swept as (delete from console_used_code where used_at < now() - interval '1 hour')
        insert into console_used_code (step) select ${step}::bigint where ${isRight}
        on conflict do nothing returning step`.execute(db);
      return rows.length > 0;
    },
  };
}
