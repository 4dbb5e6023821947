// The append-only audit log: who did what to what. Lines are written in the transaction of the action and contain
// nothing biometric.
import { sql } from 'kysely';
import type { Database } from './database.ts';

export interface AuditEntry {
  /** Id of an API key or console session, `operator`, `system`, or `link` for the holder of a presigned link. */
  readonly actor: string;
  /** Stable code, e.g. `api_key.revoked`. */
  readonly action: string;
  readonly accountId: string | null;
  /** Id of what was acted on. */
  readonly subject: string | null;
  /** Further details: ids and stable codes, nothing personal but the name of an operator who signs in. */
  readonly detail?: object;
  /** Whether it records an erasure that a database restored from a backup has to repeat. */
  readonly isErasure?: boolean;
}

/** Adds a line. `db` is the transaction of the action. */
export async function writeAudit(db: Database, entry: AuditEntry): Promise<void> {
  await auditLine(db, entry).execute();
}

/** The insert of a line, to be part of a larger statement. */
export function auditLine(db: Pick<Database, 'insertInto'>, entry: AuditEntry) {
  const { actor, action, accountId, subject, detail, isErasure = false } = entry;
  return db.insertInto('audit').values({
    actor,
    action,
    account_id: accountId,
    subject,
    detail: detail ? JSON.stringify(detail) : null,
    is_erasure: isErasure,
  });
}

/** An erasure recorded in the log. */
export interface Erasure {
  readonly at: Date;
  readonly action: string;
  readonly accountId: string;
  readonly subject: string;
}

/** Erasures since a time, oldest first. Those by retention are left out, because retention repeats itself. */
export async function listErasures(db: Database, since: Date): Promise<Erasure[]> {
  const rows = await db
    .selectFrom('audit')
    .select(['at', 'action', 'account_id as accountId', 'subject'])
    .where('is_erasure', '=', true)
    .where('at', '>=', since)
    .orderBy('id')
    .execute();
  return rows as Erasure[];
}

/**
 * Deletes up to `limit` lines that are older than this many days, the oldest first; resolves with their number. The
 * database refuses it for less than 400 days.
 */
export async function forgetAuditLines(db: Database, retentionDays: number, limit: number): Promise<number> {
  const deleted = await sql`
    delete from audit where ctid = any (array(
      select ctid from audit where at < now() - ${retentionDays} * interval '1 day'
      order by at limit ${limit} for update skip locked))`.execute(db);
  return Number(deleted.numAffectedRows ?? 0);
}
