// Buckets of erasure keys: a row each, which says on which side new keys go, and whether bytes of deleted keys still
// lie about. The row's lock orders deletions against the rewriting of the bucket.
import { sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** Keys of one kind, in tables of their own. */
export type KeyFamily = 'challenge';

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
