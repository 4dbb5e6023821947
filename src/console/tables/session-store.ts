// Console sessions and used sign-in codes in PostgreSQL, by its own clock.
import { sql } from 'kysely';
import type { Database } from '../../storage/postgres/database.ts';

export type ConsoleSessionStore = ReturnType<typeof createConsoleSessionStore>;

export function createConsoleSessionStore(db: Database) {
  return {
    insert: async (
      { id, tokenHash }: { id: string; tokenHash: Buffer },
      lifeHours: number,
    ): Promise<void> => {
      // Each sign-in deletes expired sessions.
      await db.deleteFrom('console_session').where('expires_at', '<', sql<Date>`now()`).execute();
      const expires_at = sql<Date>`now() + make_interval(hours => ${lifeHours})`;
      await db.insertInto('console_session').values({ id, token_hash: tokenHash, expires_at }).execute();
    },
    /** The id of a session that is neither expired nor idle for too long; records its use if `isActivity`. */
    find: async (tokenHash: Buffer, idleMinutes: number, isActivity: boolean): Promise<string | null> => {
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
    remove: async (tokenHash: Buffer): Promise<void> => {
      await db.deleteFrom('console_session').where('token_hash', '=', tokenHash).execute();
    },
    removeAll: async (): Promise<void> => {
      await db.deleteFrom('console_session').execute();
    },
  };
}

export type UsedCodes = ReturnType<typeof createUsedCodes>;

/** Time steps whose code was used: each works once across all processes. */
export function createUsedCodes(db: Database) {
  return {
    /**
     * Uses the step up if `isRight`. False if it was used before, or is not right. The same statement for right and
     * wrong codes, so that timing does not tell them apart.
     */
    claim: async (step: number, isRight: boolean): Promise<boolean> => {
      const { rows } = await sql`
        with swept as (delete from console_used_code where used_at < now() - interval '1 hour')
        insert into console_used_code (step) select ${step}::bigint where ${isRight}
        on conflict do nothing returning step`.execute(db);
      return rows.length > 0;
    },
  };
}
