// Console sessions and used sign-in codes in PostgreSQL, by its own clock.
import { sql } from 'kysely';
import type { ConsoleRole } from '../../contract/console.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { OpenidPerson, Operator, SignedIn } from '../people.ts';

export type ConsoleSessionStore = ReturnType<typeof createConsoleSessionStore>;

export interface NewConsoleSession extends SignedIn {
  readonly id: string;
  readonly tokenHash: Buffer;
}

export function createConsoleSessionStore(db: Database) {
  return {
    insert: (session: NewConsoleSession, lifeHours: number): Promise<boolean> =>
      db.transaction().execute((trx) => insert(trx, session, lifeHours)),
    /** Of a session that is neither expired nor idle for too long; records its use if `isActivity`. */
    find: async (tokenHash: Buffer, idleMinutes: number, isActivity: boolean): Promise<Operator | null> => {
      const { rows } = await sql<Operator>`
        with open as (
          select id, role, name from console_session
          where token_hash = ${tokenHash} and expires_at > now()
            and last_used_at > now() - make_interval(mins => ${idleMinutes})),
        used as (
          update console_session set last_used_at = now() where ${isActivity} and id in (select id from open))
        select id, role, name from open`.execute(db);
      return rows[0] ?? null;
    },
    /** Ends the sessions of a person, except those of the role that they have now. */
    removeOf: (person: OpenidPerson, role: ConsoleRole | null) => removeOf(db, person, role),
    remove: async (tokenHash: Buffer): Promise<void> => {
      await db.deleteFrom('console_session').where('token_hash', '=', tokenHash).execute();
    },
    removeAll: async (): Promise<void> => {
      await db.deleteFrom('console_session').execute();
    },
  };
}

/**
 * A person's role is that of their latest sign-in. False if the settings under which they signed in are gone: the lock
 * keeps those that are there.
 */
async function insert(trx: Trx, session: NewConsoleSession, lifeHours: number): Promise<boolean> {
  const { id, tokenHash, role, openid } = session;
  // Each sign-in deletes expired sessions.
  await trx.deleteFrom('console_session').where('expires_at', '<', sql<Date>`now()`).execute();
  if (openid) {
    const held = await trx
      .selectFrom('console_openid')
      .select('id')
      .where('id', '=', openid.openidId)
      .forShare()
      .executeTakeFirst();
    if (!held) return false;
    await removeOf(trx, openid, role);
  }
  await trx
    .insertInto('console_session')
    .values({
      id,
      token_hash: tokenHash,
      role,
      openid_id: openid?.openidId ?? null,
      subject: openid?.subject ?? null,
      name: openid?.name ?? null,
      expires_at: sql<Date>`now() + make_interval(hours => ${lifeHours})`,
    })
    .execute();
  return true;
}

async function removeOf(db: Database, { subject }: OpenidPerson, role: ConsoleRole | null): Promise<void> {
  let removing = db.deleteFrom('console_session').where('subject', '=', subject);
  if (role) removing = removing.where('role', '<>', role);
  await removing.execute();
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
