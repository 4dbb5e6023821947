// What other rooms keep that goes with a FeatureID: rows under erasure keys of their own, which are erased with it.
// Such a row refers to its dependent with `on delete cascade`.
import { sql } from 'kysely';
import { insertErasureKeys } from '../../keys/tables/erasure-keys.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Trx } from '../../storage/postgres/database.ts';
import { isOwnedBy } from '../../storage/postgres/owned-by.ts';

export interface Dependent {
  /** Of the row and of its erasure key. */
  readonly id: string;
  readonly featidId: string;
  readonly accountId: string;
}

export interface NewDependent extends Dependent {
  /** What it is, in the audit line of its erasure: `<kind>.erased`. */
  readonly kind: string;
  /** Further detail of that line. */
  readonly auditDetail: object;
  readonly erasureKey: Buffer;
}

/**
 * Keeps a FeatureID in force until the end of the transaction; false if it is not. An erasure changes this row: it came
 * first and is seen here, or it waits and then erases what the transaction adds.
 */
export async function holdFeatid(trx: Trx, accountId: string, featidId: string): Promise<boolean> {
  const featid = await trx
    .selectFrom('featid')
    .select('id')
    .where('id', '=', featidId)
    .where(isOwnedBy(accountId))
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return featid !== undefined;
}

/** Adds a dependent and its key to a FeatureID that the transaction holds. */
export async function insertDependent(trx: Trx, dependent: NewDependent): Promise<void> {
  const { id, featidId, accountId, kind, auditDetail, erasureKey } = dependent;
  await trx
    .insertInto('featid_dependent')
    .values({
      id,
      featid_id: featidId,
      account_id: accountId,
      kind,
      audit_detail: JSON.stringify(auditDetail),
    })
    .execute();
  await insertErasureKeys(trx, [{ id, key: erasureKey }]);
}

/** Deletes dependents, whose keys the caller then erases, and audits each. */
export const deleteDependents = (trx: Trx, ids: readonly string[], actor: string): Promise<Dependent[]> =>
  deleteWhere(trx, sql<boolean>`id = any(${ids}::text[])`, actor);

/** As {@link deleteDependents}, all those of these FeatureIDs. */
export const deleteDependentsOf = (trx: Trx, featidIds: readonly string[]): Promise<Dependent[]> =>
  deleteWhere(trx, sql<boolean>`featid_id = any(${featidIds}::text[])`, 'system');

async function deleteWhere(
  trx: Trx,
  condition: ReturnType<typeof sql<boolean>>,
  actor: string,
): Promise<Dependent[]> {
  const deleted = await trx.deleteFrom('featid_dependent').where(condition).returningAll().execute();
  for (const { id, account_id: accountId, kind, audit_detail: detail } of deleted) {
    const action = `${kind}.erased`;
    await writeAudit(trx, { actor, action, accountId, subject: id, detail, isErasure: true });
  }
  return deleted.map((row) => ({ id: row.id, featidId: row.featid_id, accountId: row.account_id }));
}
