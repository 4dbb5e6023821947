// Renewals of FeatureIDs: separate rows with keys of their own, so that erasing a challenge erases what it added, and
// erasing a FeatureID erases all its renewals.
import { sql } from 'kysely';
import type { NewRenewalRow } from '../../../contract/new-featid.ts';
import type { StoredRenewal } from '../../../featid/ports.ts';
import { isOwnedBy } from '../accounts/owned-by.ts';
import { writeAudit } from '../audit.ts';
import type { Database, Trx } from '../database.ts';
import { WITHIN_A_DAY } from '../keys/buckets.ts';
import { eraseKeys, insertFeatidKeys, NO_KEY, readFeatidKeys } from './keys.ts';

/**
 * How many of the latest renewals of a FeatureID are kept. The figures in the docs were measured with four and the
 * enrolment.
 */
const MAX_RENEWALS = 4;
/**
 * Time from one capture of a FeatureID, its enrolment included, to the next that may renew it: four renewals then show
 * the face over a month. Chosen, not measured.
 */
const MIN_INTERVAL = sql`interval '7 days'`;

const isDue = sql<boolean>`f.created_at <= now() - ${MIN_INTERVAL} and not exists (
  select from featid_renewal later where later.featid_id = f.id and later.created_at > now() - ${MIN_INTERVAL})`;

/** See FeatidStore.findRenewals. */
export async function findRenewals(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<{ featidId: string; isDue: boolean; renewals: StoredRenewal[] }[]> {
  const { rows } = await sql<{
    featid_id: string;
    is_due: boolean;
    id: string | null;
    layout: number;
    sealed: string;
  }>`
    select f.id as featid_id, ${isDue} as is_due, r.id, r.layout, encode(r.sealed_embedding, 'base64') as sealed
    from account a
      join featid f on f.account_id = a.id and f.id = any (${ids}::text[]) and f.revoked_at is null
      left join featid_renewal r on r.featid_id = f.id and r.sealed_embedding <> ''
    where a.id = ${accountId} and a.renew_references
    order by f.id, r.created_at`.execute(db);
  const keys = await readFeatidKeys(
    db,
    rows.flatMap(({ id }) => id ?? []),
  );
  const byFeatid = new Map<string, { featidId: string; isDue: boolean; renewals: StoredRenewal[] }>();
  for (const { featid_id, is_due, id, layout, sealed } of rows) {
    const found = byFeatid.get(featid_id) ?? { featidId: featid_id, isDue: is_due, renewals: [] };
    byFeatid.set(featid_id, found);
    if (id === null) continue;
    const sealedEmbedding = Buffer.from(sealed, 'base64');
    found.renewals.push({ id, layout, sealedEmbedding, erasureKey: keys.get(id) ?? NO_KEY });
  }
  return [...byFeatid.values()];
}

/**
 * Writes renewals, at most one per FeatureID, with their audit lines, and erases the oldest beyond those kept. Writes
 * nothing for a FeatureID that was revoked or renewed meanwhile, or whose account does not renew: if two captures are
 * judged at the same time, the second sees the first.
 */
export async function insertRenewals(trx: Trx, renewals: readonly NewRenewalRow[]): Promise<void> {
  if (renewals.length === 0) return;
  const featidIds = renewals.map(({ featidId }) => featidId);
  // A separate statement: the next one sees what was committed while this one waited.
  await sql`select from featid where id = any (${featidIds}::text[]) order by id for no key update`.execute(
    trx,
  );
  const written: NewRenewalRow[] = [];
  for (const renewal of renewals) if (await insertRenewal(trx, renewal)) written.push(renewal);
  if (written.length === 0) return;
  await insertFeatidKeys(trx, written);
  for (const { accountId, featidId } of written)
    await writeAudit(trx, { actor: 'system', action: 'featid.renewed', accountId, subject: featidId });
  await eraseReplaced(trx, featidIds);
}

async function insertRenewal(trx: Trx, renewal: NewRenewalRow): Promise<boolean> {
  const { id, featidId, accountId, challengeId, layout, sealedEmbedding } = renewal;
  const { numAffectedRows } = await sql`
    insert into featid_renewal (id, featid_id, account_id, challenge_id, layout, sealed_embedding)
    select ${id}, f.id, f.account_id, ${challengeId}, ${layout}, ${sealedEmbedding}
    from featid f join account a on a.id = f.account_id
    where f.id = ${featidId} and ${isOwnedBy(accountId, 'f.account_id')} and f.revoked_at is null
      and a.renew_references and ${isDue}`.execute(trx);
  return numAffectedRows === 1n;
}

/**
 * Erases all but the latest renewals. The row of the last one erased stays, without its embedding, until the next
 * capture, at least a week later: its key leaves the disk within a day, and an erasure of the FeatureID or challenge in
 * that time has to find it.
 */
async function eraseReplaced(trx: Trx, featidIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with placed as (
      select id, sealed_embedding <> '' as is_readable,
        row_number() over (partition by featid_id order by created_at desc, id) as place
      from featid_renewal where featid_id = any (${featidIds}::text[])),
    emptied as (
      update featid_renewal set sealed_embedding = ''
      where id in (select id from placed where place = ${MAX_RENEWALS} + 1)),
    deleted as (
      delete from featid_renewal where id in (select id from placed where place > ${MAX_RENEWALS} + 1))
    select id from placed where place > ${MAX_RENEWALS} and is_readable`.execute(trx);
  await eraseKeys(
    trx,
    rows.map(({ id }) => id),
    WITHIN_A_DAY,
  );
}

/**
 * Deletes what the captures of a challenge added to FeatureIDs; resolves with the ids of the renewals, whose keys the
 * caller must still erase.
 */
export async function deleteRenewalsOf(trx: Trx, accountId: string, challengeId: string): Promise<string[]> {
  const deleted = await trx
    .deleteFrom('featid_renewal')
    .where('challenge_id', '=', challengeId)
    .where(isOwnedBy(accountId))
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id);
}
