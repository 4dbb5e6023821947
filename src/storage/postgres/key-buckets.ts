// Buckets of erasure keys. Each has a row: which side new keys go to, and whether bytes of deleted keys remain. The row's
// lock orders deletions against rewrites of the bucket.
import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** Keys of one kind, in tables of their own. */
export type KeyFamily = 'challenge' | 'featid';

/** For an erasure that somebody waits for. */
export const AT_ONCE = 0;
/** For recordings that were sent back or timed out: those of one hour share a rewrite. */
export const WITHIN_TEN_MINUTES = 600;
/** For retention, which deletes in batches every minute, out of few buckets. */
export const WITHIN_AN_HOUR = 3600;
/** For what nobody asked to have erased: renewals that newer ones have replaced. */
export const WITHIN_A_DAY = 86_400;

/**
 * Marks these buckets as having deleted keys. Call it before the deletion, in its transaction: it waits for a running
 * rewrite, which moves keys, so that the deletion finds them where they are then.
 */
export async function noteErasure(
  trx: Transaction<Schema>,
  family: KeyFamily,
  buckets: readonly number[],
  withinSeconds: number,
): Promise<void> {
  const due = sql`now() + ${withinSeconds} * interval '1 second'`;
  // Locked in order, so that two erasures of the same buckets do not deadlock.
  await sql`
    with locked as (
      select bucket from key_bucket where family = ${family} and bucket = any(${buckets}::smallint[])
      order by bucket for update)
    update key_bucket b set erasures = erasures + 1, due_at = least(b.due_at, ${due})
    from locked where b.family = ${family} and b.bucket = locked.bucket`.execute(trx);
}

/** A bucket with keys to be shredded, as it was when it was listed. */
export interface KeyBucket {
  readonly family: KeyFamily;
  readonly bucket: number;
  readonly erasures: number;
}

/** Buckets with deleted keys that are still on the disk; `due`: only those that are due. */
export async function listErased(db: Database, which: 'due' | 'all'): Promise<KeyBucket[]> {
  return db
    .selectFrom('key_bucket')
    .select(['family', 'bucket', 'erasures'])
    .where('due_at', '<=', which === 'due' ? sql<Date>`now()` : sql<Date>`'infinity'`)
    .orderBy('due_at')
    .execute();
}

/** Records that the bytes of keys deleted before the listing are gone. Buckets with later deletions stay due. */
export async function markShredded(db: Database, buckets: readonly KeyBucket[]): Promise<void> {
  const column = <T>(read: (each: KeyBucket) => T) => sql`${buckets.map(read)}`;
  await sql`
    update key_bucket b set shredded = given.erasures,
      due_at = case when b.erasures = given.erasures then null else b.due_at end
    from unnest(${column((each) => each.family)}::text[], ${column((each) => each.bucket)}::smallint[],
      ${column((each) => each.erasures)}::bigint[]) as given (family, bucket, erasures)
    where b.family = given.family and b.bucket = given.bucket`.execute(db);
}
