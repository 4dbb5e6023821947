// The subjects that clients of the OpenID Provider know, in PostgreSQL: rows, and the keys that erase them.
import { type Selectable, sql } from 'kysely';
import { deleteDependents, holdFeatid, insertDependent } from '../../featid/tables/dependents.ts';
import { NO_KEY, readFeatidKeys, revokeFeatids } from '../../featid/tables/keys.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { Schema } from '../../storage/postgres/schema.ts';

/** What a subject is in the audit log. */
const KIND = 'oidc_subject';

export interface StoredSubject {
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  /** HMAC of the client's name for the person. */
  readonly hintTag: Buffer;
  readonly sealedFeatid: Buffer;
  /** An arbitrary key if the subject was erased. */
  readonly erasureKey: Buffer;
}

/** A subject to be inserted. */
export type NewSubject = StoredSubject & { readonly featidId: string; readonly isEnrolledHere: boolean };

export type SubjectStore = ReturnType<typeof createSubjectStore>;

export function createSubjectStore(db: Database) {
  const withKey = async (
    row: Selectable<Schema['oidc_subject']> | undefined,
  ): Promise<StoredSubject | null> => {
    if (!row) return null;
    const keys = await readFeatidKeys(db, [row.id]);
    return {
      id: row.id,
      accountId: row.account_id,
      clientId: row.client_id,
      hintTag: row.hint_tag,
      sealedFeatid: row.sealed_featid,
      erasureKey: keys.get(row.id) ?? NO_KEY,
    };
  };
  const subjects = db.selectFrom('oidc_subject').selectAll();
  return {
    findByTag: async (clientId: string, hintTag: Buffer) =>
      withKey(
        await subjects.where('client_id', '=', clientId).where('hint_tag', '=', hintTag).executeTakeFirst(),
      ),
    find: async (id: string) => withKey(await subjects.where('id', '=', id).executeTakeFirst()),
    insert: (subject: NewSubject, actor: string) =>
      db.transaction().execute((trx) => insertSubject(trx, subject, actor)),
    /** Forgets somebody, and erases the FeatureID if a login enrolled it. */
    erase: (id: string, actor: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => (await eraseSubjects(trx, [id], actor)) > 0),
    countOf: async (clientId: string): Promise<number> => {
      const { count } = await db
        .selectFrom('oidc_subject')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('client_id', '=', clientId)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

/** `gone`: the FeatureID was erased meanwhile; `taken`: the client already knows somebody by this name. */
async function insertSubject(
  trx: Trx,
  subject: NewSubject,
  actor: string,
): Promise<'inserted' | 'taken' | 'gone'> {
  const { id, accountId, clientId, hintTag, featidId, isEnrolledHere, sealedFeatid, erasureKey } = subject;
  if (!(await holdFeatid(trx, accountId, featidId))) return 'gone';
  const inserted = await trx
    .insertInto('oidc_subject')
    .values({
      id,
      account_id: accountId,
      client_id: clientId,
      hint_tag: hintTag,
      is_enrolled_here: isEnrolledHere,
      sealed_featid: sealedFeatid,
    })
    .onConflict((conflict) => conflict.columns(['client_id', 'hint_tag']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return 'taken';
  const detail = { client: clientId };
  await insertDependent(trx, { id, featidId, accountId, erasureKey, kind: KIND, auditDetail: detail });
  const action = isEnrolledHere ? `${KIND}.enrolled` : `${KIND}.linked`;
  await writeAudit(trx, { actor, action, accountId, subject: id, detail });
  return 'inserted';
}

/**
 * Erases subjects of one client. FeatureIDs that a login enrolled have no other use, so they are revoked too, and a
 * restored backup erases them again.
 */
export async function eraseSubjects(trx: Trx, ids: readonly string[], actor: string): Promise<number> {
  const enrolled = await trx
    .selectFrom('oidc_subject')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('is_enrolled_here', '=', true)
    .execute();
  const ownFeatids = new Set(enrolled.map(({ id }) => id));
  const erased = await deleteDependents(trx, ids, actor);
  const [first] = erased;
  if (!first) return 0;
  const featids = erased.filter(({ id }) => ownFeatids.has(id)).map(({ featidId }) => featidId);
  const keys = erased.map(({ id }) => id);
  await revokeFeatids(trx, first.accountId, featids, actor, keys);
  return erased.length;
}
