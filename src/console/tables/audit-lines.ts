// The audit log as the console lists it: with the name of the person behind each session.
import { sql } from 'kysely';
import type { ConsoleAuditLine } from '../../contract/console.ts';
import type { Database } from '../../storage/postgres/database.ts';

/**
 * Newest first. A session's first line is that of its sign-in, which says who signed in. It outlives the session, and
 * retention deletes it no later than it deletes the session's last line.
 */
export async function listAudit(
  db: Database,
  beforeId: string | null,
  limit: number,
): Promise<ConsoleAuditLine[]> {
  const { rows } = await sql<Omit<ConsoleAuditLine, 'at'> & { readonly at: Date }>`
    select line.id::text, line.at, line.actor, login.detail ->> 'name' as actor_name, line.action, line.account_id,
      line.subject, line.detail
    from audit line left join audit login on login.actor = line.actor and login.action = 'console.login'
    where ${beforeId}::bigint is null or line.id < ${beforeId}::bigint
    order by line.id desc limit ${limit}`.execute(db);
  return rows.map(({ at, ...line }) => ({ ...line, at: at.toISOString() }));
}
