// The bytes that an account has in the asset store or is uploading. Triggers count assets as a sum of changes;
// uploads in progress count with the size that they committed to.
import { sql } from 'kysely';
import type { Database } from '../../storage/postgres/database.ts';

/** Bytes of the account in the asset store and in uploads in progress. */
export async function readStoredBytes(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (select coalesce(sum(bytes), 0) from stored_bytes where account_id = ${accountId})::float8
      + (select coalesce(sum(size_bytes), 0) from capture
          where account_id = ${accountId} and state = 'committed')::float8 as bytes`.execute(db);
  return rows[0]!.bytes;
}

/** If an account has more changes than this, they are folded into one. */
const FOLD_ABOVE = 50;

/**
 * Folds changes into sums, up to `limit` rows; resolves with the number of rows folded. Skips rows that another process
 * is folding; a reader sees the state before or after as a whole.
 */
export async function foldStoredBytes(db: Database, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with long as (
      select account_id from stored_bytes group by account_id having count(*) > ${FOLD_ABOVE}
    ), chosen as (
      select id from stored_bytes where account_id in (select account_id from long)
      order by account_id limit ${limit} for update skip locked
    ), taken as (
      delete from stored_bytes where id in (select id from chosen) returning account_id, bytes
    ), folded as (
      insert into stored_bytes (account_id, bytes)
      select account_id, sum(bytes) from taken group by account_id having sum(bytes) <> 0
    )
    select count(*)::int as folded from taken`.execute(db);
  return rows[0]!.folded;
}
