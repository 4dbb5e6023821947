// FeatureIDs and their keys: written together; the keys are read along with the rows and deleted with the templates.
import { sql } from 'kysely';
import type { FeatidSource } from '../../contract/picture.ts';
import { AT_ONCE, eraseKeys, insertErasureKeys, readErasureKeys } from '../../keys/tables/erasure-keys.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import { isOwnedBy } from '../../storage/postgres/owned-by.ts';
import { deleteDependentsOf } from './dependents.ts';

/** A FeatureID row that the transaction completing a challenge, or answering a picture, inserts. */
export interface NewFeatidRow {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly pack: string;
  readonly layout: number;
  readonly source: FeatidSource;
  /** Sealed under the string's key and the account's, then masked with the erasure key. */
  readonly sealedTemplate: Buffer;
  /** The FeatureID's own 32 bytes. Without them nobody can open the template. */
  readonly erasureKey: Buffer;
  /** 16 bytes that tell the right key from a wrong one after the template has been erased. */
  readonly keyCheck: Buffer;
}

/** A key that opens nothing but takes as long as a real one, for what no longer has a key. */
export const NO_KEY = Buffer.alloc(32);

/** The keys of these FeatureIDs, by id; erased and unknown ones have none. */
export async function readFeatidKeys(
  db: Database,
  featidIds: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = await readErasureKeys(db, featidIds);
  return new Map([...found].map(([id, { key }]) => [id, key]));
}

/** Writes a new FeatureID and its key. */
export async function insertFeatid(trx: Trx, featid: NewFeatidRow): Promise<void> {
  const row = {
    id: featid.id,
    account_id: featid.accountId,
    challenge_id: featid.challengeId,
    pack: featid.pack,
    layout: featid.layout,
    source: featid.source,
    sealed_template: featid.sealedTemplate,
    key_check: featid.keyCheck,
  };
  await trx.insertInto('featid').values(row).execute();
  await insertFeatidKeys(trx, [featid]);
}

/** Writes the keys of FeatureIDs whose rows exist. */
export async function insertFeatidKeys(
  trx: Trx,
  featids: readonly Pick<NewFeatidRow, 'id' | 'erasureKey'>[],
): Promise<void> {
  await insertErasureKeys(
    trx,
    featids.map(({ id, erasureKey }) => ({ id, key: erasureKey })),
  );
}

/**
 * Deletes the keys of FeatureIDs whose templates are erased, what depends on them, and further keys whose rows the
 * transaction has deleted. All keys are deleted at once, because two erasures that each locked keys twice could
 * deadlock.
 */
export async function eraseFeatidKeys(
  trx: Trx,
  featidIds: readonly string[],
  withinSeconds: number,
  furtherKeys: readonly string[] = [],
): Promise<void> {
  const dependents = await deleteDependentsOf(trx, featidIds);
  await eraseKeys(trx, [...featidIds, ...dependents.map(({ id }) => id), ...furtherKeys], withinSeconds);
}

/**
 * Destroys the templates of those of an account's FeatureIDs that are in force, leaves tombstones and writes audit
 * rows.
 * @param furtherKeys of rows that the transaction has deleted
 * @returns how many were in force
 */
export async function revokeFeatids(
  trx: Trx,
  accountId: string,
  ids: readonly string[],
  actor: string,
  furtherKeys: readonly string[] = [],
): Promise<number> {
  const revoked = await trx
    .updateTable('featid')
    .set({ sealed_template: null, revoked_at: sql<Date>`now()` })
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where(isOwnedBy(accountId))
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  const found = revoked.map(({ id }) => id);
  await eraseFeatidKeys(trx, found, AT_ONCE, furtherKeys);
  for (const subject of found) {
    await writeAudit(trx, { actor, action: 'featid.revoked', accountId, subject, isErasure: true });
  }
  return found.length;
}
