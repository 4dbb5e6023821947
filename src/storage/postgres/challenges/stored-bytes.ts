// What an account has in the asset store and is about to put there. Assets are counted by triggers (migration 0014) as a
// sum of changes, uploads under way by what they committed to.
import { sql } from 'kysely';
import type { Database } from '../database.ts';

export async function readStoredBytes(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (select coalesce(sum(bytes), 0) from stored_bytes where account_id = ${accountId})::float8
      + (select coalesce(sum(size_bytes), 0) from capture
          where account_id = ${accountId} and state = 'committed')::float8 as bytes`.execute(db);
  return rows[0]!.bytes;
}

/** Changes of one account beyond this many are folded into one. */
const MANY = 50;

/**
 * Folds changes into sums, up to `limit` rows; returns how many there were. Rows that another process folds are skipped, and
 * a reader sees all of it before or after.
 */
export async function foldStoredBytes(db: Database, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with long as (
      select account_id from stored_bytes group by account_id having count(*) > ${MANY}
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
