// The subjects that clients of the OpenID Provider know, in PostgreSQL: rows, and the keys that erase them.
import { type Selectable, sql } from 'kysely';
import { eraseFeatidKeys, insertFeatidKeys, NO_KEY, readFeatidKeys } from '../../featid/tables/keys.ts';
import { AT_ONCE, eraseKeys } from '../../keys/tables/erasure-keys.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import { isOwnedBy } from '../../storage/postgres/owned-by.ts';
import type { Schema } from '../../storage/postgres/schema.ts';

export interface StoredSubject {
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly featidId: string;
  /** HMAC of the client's name for the person. */
  readonly hintTag: Buffer;
  readonly sealedFeatid: Buffer;
  /** An arbitrary key if the subject was erased. */
  readonly erasureKey: Buffer;
}

/** A subject to be inserted. */
export type NewSubject = StoredSubject & { readonly isEnrolledHere: boolean };

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
      featidId: row.featid_id,
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
  const { id, accountId, clientId, hintTag, featidId, isEnrolledHere, sealedFeatid } = subject;
  // An erasure changes this row: it comes first and is seen here, or it waits and then erases the subject.
  const featid = await trx
    .selectFrom('featid')
    .select('id')
    .where('id', '=', featidId)
    .where(isOwnedBy(accountId))
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!featid) return 'gone';
  const inserted = await trx
    .insertInto('oidc_subject')
    .values({
      id,
      account_id: accountId,
      client_id: clientId,
      hint_tag: hintTag,
      featid_id: featidId,
      is_enrolled_here: isEnrolledHere,
      sealed_featid: sealedFeatid,
    })
    .onConflict((conflict) => conflict.columns(['client_id', 'hint_tag']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return 'taken';
  await insertFeatidKeys(trx, [subject]);
  const action = isEnrolledHere ? 'oidc_subject.enrolled' : 'oidc_subject.linked';
  await writeAudit(trx, { actor, action, accountId, subject: id, detail: { client: clientId } });
  return 'inserted';
}

/**
 * Erases subjects. FeatureIDs that a login enrolled have no other use, so they are erased too and logged like any
 * revoked one, so that a restored backup erases them again.
 */
export async function eraseSubjects(trx: Trx, ids: readonly string[], actor: string): Promise<number> {
  if (ids.length === 0) return 0;
  const erased = await trx
    .deleteFrom('oidc_subject')
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .returning(['id', 'account_id', 'client_id', 'featid_id', 'is_enrolled_here'])
    .execute();
  for (const { id, account_id: accountId, client_id: client } of erased) {
    await writeAudit(trx, {
      actor,
      action: 'oidc_subject.erased',
      accountId,
      subject: id,
      detail: { client },
    });
  }
  const enrolled = erased.filter((subject) => subject.is_enrolled_here).map((subject) => subject.featid_id);
  const revoked = await trx
    .updateTable('featid')
    .set({ sealed_template: null, revoked_at: sql<Date>`now()` })
    .where('id', '=', sql<string>`any(${enrolled}::text[])`)
    .where('revoked_at', 'is', null)
    .returning(['id', 'account_id'])
    .execute();
  for (const { id, account_id: accountId } of revoked) {
    await writeAudit(trx, { actor, action: 'featid.revoked', accountId, subject: id });
  }
  const keys = erased.map(({ id }) => id);
  if (revoked.length > 0) {
    const featids = revoked.map(({ id }) => id);
    await eraseFeatidKeys(trx, featids, AT_ONCE, keys);
  } else await eraseKeys(trx, keys, AT_ONCE);
  return erased.length;
}
