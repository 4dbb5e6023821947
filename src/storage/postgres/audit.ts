// The append-only audit log: who did what to what. Written inside the transaction of the deed; nothing biometric in it.
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export interface AuditEntry {
  /** Id of an API key or of a session of the console, `operator`, `system`, or `link` for whoever holds a presigned link. */
  readonly actor: string;
  /** Stable code, e.g. `api_key.revoked`. */
  readonly action: string;
  readonly accountId: string | null;
  /** Id of what was acted on. */
  readonly subject: string | null;
  /** What else there is to say: ids and stable codes, nothing personal. */
  readonly detail?: object;
}

/** Adds a line. `db` is the transaction of the deed. */
export async function writeAudit(db: Kysely<Schema>, entry: AuditEntry): Promise<void> {
  const { actor, action, accountId, subject, detail } = entry;
  await db
    .insertInto('audit')
    .values({ actor, action, account_id: accountId, subject, detail: detail ? JSON.stringify(detail) : null })
    .execute();
}

/** An erasure that the log tells of. */
export interface Erasure {
  readonly at: Date;
  readonly action: 'challenge.erased' | 'featid.revoked';
  readonly accountId: string;
  readonly subject: string;
}

/** Erasures from a time on, oldest first. What retention deletes is not among them: it deletes again by itself. */
export async function listErasures(db: Kysely<Schema>, since: Date): Promise<Erasure[]> {
  const rows = await db
    .selectFrom('audit')
    .select(['at', 'action', 'account_id as accountId', 'subject'])
    .where('action', 'in', ['challenge.erased', 'featid.revoked'])
    .where('at', '>=', since)
    .orderBy('id')
    .execute();
  return rows as Erasure[];
}
