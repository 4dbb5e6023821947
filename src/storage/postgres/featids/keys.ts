// FeatureIDs and their keys: written together; the keys are read along with the rows and deleted with the templates.
import { sql } from 'kysely';
import type { NewFeatidRow } from '../../../contract/new-featid.ts';
import { featidKeyBase } from '../../../keys/erasure-key.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Trx } from '../database.ts';
import { keepBuckets, markKeysErased } from '../keys/buckets.ts';

/** A key that opens nothing but takes as long as a real one, for what no longer has a key. */
export const NO_KEY = Buffer.alloc(32);

/** The keys of these FeatureIDs, by id; erased and unknown ones have none. */
export async function readFeatidKeys(
  db: Database,
  featidIds: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (featidIds.length === 0) return new Map();
  const { rows } = await sql<{ featid_id: string; template_key: Buffer }>`
    select featid_id, template_key
    from featid_keys(${featidIds}::text[], ${featidIds.map(featidKeyBase)}::smallint[])`.execute(db);
  return new Map(rows.map((row) => [row.featid_id, row.template_key]));
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
  const column = <T>(read: (each: Pick<NewFeatidRow, 'id' | 'erasureKey'>) => T) => sql`${featids.map(read)}`;
  await keepBuckets(trx);
  await sql`
    insert into featid_key (slot, featid_id, template_key)
    select s.slot, s.id, given.template_key
    from unnest(${column(({ id }) => id)}::text[], ${column(({ erasureKey }) => erasureKey)}::bytea[])
      as given (id, template_key)
    join key_slots('featid', ${column(({ id }) => id)}::text[], ${column(({ id }) => featidKeyBase(id))}::smallint[]) s
      on s.id = given.id`.execute(trx);
}

/**
 * Deletes the keys of FeatureIDs whose templates are erased, together with the subjects by which OpenID clients know
 * the people behind them, and further keys whose rows the transaction has deleted. All keys are deleted at once, because
 * two erasures that each locked buckets twice could deadlock.
 */
export async function eraseFeatidKeys(
  trx: Trx,
  featidIds: readonly string[],
  withinSeconds: number,
  furtherKeys: readonly string[] = [],
): Promise<void> {
  const subjects = await deleteSubjectsOf(trx, featidIds);
  await eraseKeys(trx, [...featidIds, ...subjects, ...furtherKeys], withinSeconds);
}

/**
 * Makes OpenID clients forget everybody they know by one of these FeatureIDs; resolves with the ids of the subjects'
 * keys.
 */
async function deleteSubjectsOf(trx: Trx, featidIds: readonly string[]): Promise<string[]> {
  const subjects = await trx
    .deleteFrom('oidc_subject')
    .where('featid_id', '=', sql<string>`any(${featidIds}::text[])`)
    .returning(['id', 'account_id', 'client_id'])
    .execute();
  for (const { id, account_id, client_id } of subjects) {
    const entry = { actor: 'system', action: 'oidc_subject.erased', accountId: account_id, subject: id };
    await writeAudit(trx, { ...entry, detail: { client: client_id } });
  }
  return subjects.map(({ id }) => id);
}

/** Deletes the keys of FeatureIDs or subjects, by id. */
export async function eraseKeys(
  trx: Trx,
  featidIds: readonly string[],
  withinSeconds: number,
): Promise<void> {
  if (featidIds.length === 0) return;
  const places = featidIds.map((id) => ({ id, base: featidKeyBase(id) }));
  // Separate statements, because they must see where a rewrite that held the buckets has moved the keys.
  for (const { slots, ids } of await markKeysErased(trx, 'featid', places, withinSeconds)) {
    await trx
      .deleteFrom('featid_key')
      .where('slot', '=', sql<number>`any(${slots}::smallint[])`)
      .where('featid_id', '=', sql<string>`any(${ids}::text[])`)
      .execute();
  }
}
