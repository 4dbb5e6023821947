// Removes the bytes of deleted keys from the disk. PostgreSQL deletes by marking: a deleted key stays in its page and
// in the WAL until something overwrites it. So a bucket has two sides, each a table: the keys move from one to the
// other, the side that they leave is truncated, and the WAL of all this is closed and removed
// (docs/decisions/0014-erasure-keys.md).
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { LOCK_CLASSES } from '../../storage/postgres/coordination/advisory-locks.ts';
import { oneAtATime } from '../../storage/postgres/coordination/one-at-a-time.ts';
import { unlessLocked } from '../../storage/postgres/coordination/unless-locked.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import { slotsOf } from './erasure-keys.ts';
import { dropOldLog } from './write-ahead-log.ts';

/** Counts of buckets rewritten, and of those whose deleted keys a transaction can still see, which stay noted. */
export interface Rewritten {
  readonly rewritten: number;
  readonly waiting: number;
}

/** Attempts on a side that is being read, or is still visible to a transaction. */
const MAX_TRIES = 25;
const PAUSE_MS = 40;
/** Pages whose keys move in one transaction, for which an erasure may have to wait: some 6,000 keys. */
const PAGES_AT_ONCE = 128;
const PAGE_BYTES = 8192;
/** Both indexes of a side without entries: one page each. */
const EMPTY_INDEXES_BYTES = 2 * PAGE_BYTES;

/**
 * Rewrites the buckets of deleted keys: of those that are due, or of all. Safe to kill at any moment: the next run does
 * the same again. Processes take turns.
 */
export async function rewriteErased(db: Database, which: 'due' | 'all', log: Logger): Promise<Rewritten> {
  if ((await listErasures(db, which)).length === 0) return { rewritten: 0, waiting: 0 };
  return oneAtATime(db, 'rewrite keys', async () => {
    const from = performance.now();
    // Read again: another process may have been working until now.
    const noted = await listErasures(db, which);
    const buckets = new Set(noted.map(({ bucket }) => bucket));
    const done = new Set<number>();
    for (const bucket of buckets) if (await rewriteBucket(db, bucket)) done.add(bucket);
    if (done.size > 0) {
      const gone = await dropOldLog(db);
      if (gone !== 'dropped') log.warn({ gone }, 'deleted keys are left in the write-ahead log for a while');
      const ids = noted.flatMap(({ id, bucket }) => (done.has(bucket) ? [id] : []));
      await db.deleteFrom('key_erasure').where('id', '=', sql<number>`any(${ids}::bigint[])`).execute();
      const ms = Math.round(performance.now() - from);
      log.debug({ buckets: done.size, ms }, 'erased keys are off the disk');
    }
    const waiting = buckets.size - done.size;
    if (waiting > 0) log.warn({ waiting }, 'deleted keys stay on the disk while old transactions read them');
    return { rewritten: done.size, waiting };
  });
}

/** What is noted of the buckets that have to be rewritten, the oldest first. */
function listErasures(db: Database, which: 'due' | 'all'): Promise<{ id: number; bucket: number }[]> {
  const latest = which === 'due' ? sql<Date>`now()` : sql<Date>`'infinity'`;
  return db
    .selectFrom('key_erasure')
    .select(['id', 'bucket'])
    .where('bucket', 'in', (due) =>
      due.selectFrom('key_erasure').select('bucket').where('due_at', '<=', latest),
    )
    .orderBy('due_at')
    .execute();
}

/** Rewrites a bucket without its deleted keys; false if a transaction can still see them. */
async function rewriteBucket(db: Database, bucket: number): Promise<boolean> {
  const taking = db.selectFrom('key_bucket').select('side').where('bucket', '=', bucket);
  const { side } = await taking.executeTakeFirstOrThrow();
  // Remains of an interrupted rewrite, or of a creation that read the side before the last one had changed it.
  if (!(await untilEmpty(db, bucket, 1 - side))) return false;
  await db
    .updateTable('key_bucket')
    .set({ side: 1 - side })
    .where('bucket', '=', bucket)
    .execute();
  return untilEmpty(db, bucket, side);
}

async function untilEmpty(db: Database, bucket: number, side: number): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await emptySide(db, bucket, side)) return true;
    await delay(PAUSE_MS);
  }
  return false;
}

/**
 * Moves the keys of a side to the other, and truncates it. VACUUM truncates only what no transaction can see any more,
 * a running backup included, and does not wait; a file without pages is the proof. False if pages remain.
 */
async function emptySide(db: Database, bucket: number, side: number): Promise<boolean> {
  const slots = slotsOf(bucket);
  const name = `erasure_key_${slots[side]}`;
  const before = await sizeOf(db, name);
  if (before.heap === 0 && before.indexes <= EMPTY_INDEXES_BYTES) return true;
  for (let page = 0; page * PAGE_BYTES < before.heap; page += PAGES_AT_ONCE)
    await db
      .transaction()
      .execute((trx) => moveKeys(trx, { bucket, from: slots[side]!, to: slots[1 - side]! }, page));
  if (before.heap > 0)
    await sql`vacuum (truncate, index_cleanup on, parallel 0) ${sql.table(name)}`.execute(db);
  if ((await sizeOf(db, name)).heap > 0) return false;
  return (await unlessLocked(db, (trx) => dropIndexPages(trx, name))) === true;
}

/** In one statement, so that concurrent readers find every key on one side or the other. */
async function moveKeys(
  trx: Trx,
  { bucket, from, to }: { readonly bucket: number; readonly from: number; readonly to: number },
  page: number,
): Promise<void> {
  // Erasures hold this lock until they commit, so none deletes a key while it moves.
  await sql`select pg_advisory_xact_lock(${LOCK_CLASSES.keyBuckets}, ${bucket})`.execute(trx);
  await sql`
    with moved as (
      delete from ${sql.table(`erasure_key_${from}`)}
      where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + PAGES_AT_ONCE},0)`}::tid
      returning id, key, video_key, reference_tag)
    insert into ${sql.table(`erasure_key_${to}`)} (slot, id, key, video_key, reference_tag)
    select ${to}, id, key, video_key, reference_tag from moved`.execute(trx);
}

/** Index pages keep deleted entries: ids and tags. Checks under the lock that the table is still empty. */
async function dropIndexPages(trx: Trx, name: string): Promise<boolean> {
  await sql`lock table ${sql.table(name)} in access exclusive mode`.execute(trx);
  if ((await sizeOf(trx, name)).heap > 0) return false;
  await sql`truncate table ${sql.table(name)}`.execute(trx);
  return true;
}

async function sizeOf(db: Database, name: string): Promise<{ heap: number; indexes: number }> {
  const { rows } = await sql<{ heap: number; indexes: number }>`
    select pg_relation_size(${name}::regclass)::float8 as heap, pg_indexes_size(${name}::regclass)::float8 as indexes`.execute(
    db,
  );
  return rows[0]!;
}
