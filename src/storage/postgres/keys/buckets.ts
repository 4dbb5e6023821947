// Buckets of erasure keys. Each has a row that says which side new keys go to and whether bytes of deleted keys remain.
// The row's lock orders deletions against rewrites of the bucket.
import { sql } from 'kysely';
import { LOCK_CLASSES } from '../coordination/advisory-locks.ts';
import type { Database, Trx } from '../database.ts';

/** Keys of one kind, in tables of their own. */
export type KeyFamily = 'challenge' | 'featid';

/** For an erasure that somebody waits for. */
export const AT_ONCE = 0;
/** For recordings that were rejected or timed out: those of ten minutes share a rewrite. */
export const WITHIN_TEN_MINUTES = 600;
/** For retention, which deletes in batches every minute, from few buckets. */
export const WITHIN_AN_HOUR = 3600;

/** Where a key is: its id determines the base, and the buckets of a base divide its ids among them. */
export interface KeyPlace {
  readonly id: string;
  readonly base: number;
}

/** Ids whose keys are in one bucket, in either of its two slots. */
export interface BucketOfKeys {
  readonly slots: readonly number[];
  readonly ids: readonly string[];
}

/** The tables of a bucket's two sides. */
export const slotsOf = (bucket: number): [number, number] => [2 * bucket, 2 * bucket + 1];

/** The lock that keeps ids in their buckets. */
const BUCKETS_LOCK = sql`${sql.lit(LOCK_CLASSES.keyBuckets)}, 0`;

/**
 * Prevents ids from changing their buckets until the end of the transaction. Call it before a statement that looks up
 * where keys are in order to write or delete some.
 */
export async function keepBuckets(trx: Trx): Promise<void> {
  await sql`select keep_key_buckets()`.execute(trx);
}

/** Waits until no transaction keeps the buckets, and prevents others from keeping them until the end of this one. */
export async function lockBuckets(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${BUCKETS_LOCK})`.execute(trx);
}

/**
 * Marks the buckets of these keys as having deleted ones, and resolves with where each key is. Call it before the
 * deletion, in its transaction: it waits for a running rewrite, which moves keys, so that the deletion finds them where
 * they are then.
 */
export async function markKeysErased(
  trx: Trx,
  family: KeyFamily,
  places: readonly KeyPlace[],
  withinSeconds: number,
): Promise<BucketOfKeys[]> {
  await keepBuckets(trx);
  const { rows } = await sql<{ bucket: number; ids: string[] }>`
    select bucket, array_agg(id) as ids
    from key_slots(${family}, ${places.map(({ id }) => id)}::text[], ${places.map(({ base }) => base)}::smallint[])
    group by bucket`.execute(trx);
  await markBucketsErased(
    trx,
    family,
    rows.map(({ bucket }) => bucket),
    withinSeconds,
  );
  return rows.map(({ bucket, ids }) => ({ slots: slotsOf(bucket), ids }));
}

/** Marks these buckets as having deleted keys that must be off the disk within `withinSeconds`. */
export async function markBucketsErased(
  trx: Trx,
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

/** A bucket with keys to shred, as it was when listed. */
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
