// Buckets of erasure keys: a row each, which says on which side new keys go, and whether bytes of deleted keys still
// lie about. The row's lock orders deletions against the rewriting of the bucket.
import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** Keys of one kind, in tables of their own. */
export type KeyFamily = 'challenge' | 'featid';

/** An erasure that somebody waits for. */
export const AT_ONCE = 0;
/** Recordings that were sent back or ran out of time: many of one hour share a rewriting. */
export const WITHIN_TEN_MINUTES = 600;
/** What retention deletes comes in batches every minute, out of few buckets. */
export const WITHIN_AN_HOUR = 3600;

/**
 * Notes, before the deletion and in its transaction, that keys of these buckets are deleted. Waits for a rewriting of
 * them, which moves keys: the deletion must look for them where they are then.
 */
export async function noteErasure(
  trx: Transaction<Schema>,
  family: KeyFamily,
  buckets: readonly number[],
  withinSeconds: number,
): Promise<void> {
  const due = sql`now() + ${withinSeconds} * interval '1 second'`;
  // Locked in order: two erasures of the same buckets wait for each other instead of locking each other out.
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

/** Buckets with deleted keys that are still on the disk; `due`: those whose time has come. */
export async function listErased(db: Database, which: 'due' | 'all'): Promise<KeyBucket[]> {
  return db
    .selectFrom('key_bucket')
    .select(['family', 'bucket', 'erasures'])
    .where('due_at', '<=', which === 'due' ? sql<Date>`now()` : sql<Date>`'infinity'`)
    .orderBy('due_at')
    .execute();
}

/** Notes that the bytes of keys deleted before the listing are gone. Where more were deleted since, they stay due. */
export async function markShredded(db: Database, buckets: readonly KeyBucket[]): Promise<void> {
  const column = <T>(read: (each: KeyBucket) => T) => sql`${buckets.map(read)}`;
  await sql`
    update key_bucket b set shredded = given.erasures,
      due_at = case when b.erasures = given.erasures then null else b.due_at end
    from unnest(${column((each) => each.family)}::text[], ${column((each) => each.bucket)}::smallint[],
      ${column((each) => each.erasures)}::bigint[]) as given (family, bucket, erasures)
    where b.family = given.family and b.bucket = given.bucket`.execute(db);
}
