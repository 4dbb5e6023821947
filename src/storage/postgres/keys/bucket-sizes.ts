// Keeps key buckets small, since an erasure rewrites a whole bucket: one that has grown is split, and one that is empty
// gives its range of ids to the next and becomes a spare. Only this module changes which bucket an id is in, while
// nobody writes or erases keys.
import { sql } from 'kysely';
import { oneAtATime } from '../coordination/one-at-a-time.ts';
import { unlessLocked } from '../coordination/unless-locked.ts';
import type { Database, Trx } from '../database.ts';
import { AT_ONCE, type KeyFamily, lockBuckets, markBucketsErased, slotsOf } from './buckets.ts';
import { FAMILIES } from './sides.ts';

/**
 * The number of keys that a split moves and at which a bucket counts as full: rewriting it takes about 0.3 s
 * (docs/decisions/0014-erasure-keys.md).
 */
const FULL_KEYS = 25_000;
/** Bytes of a row in its page: a bucket is judged by the size of its table. */
const ROW_BYTES: Readonly<Record<KeyFamily, number>> = { challenge: 160, featid: 100 };
/**
 * Most splits per run, during which erasures have to wait: some 5 s. More are due only right after an upgrade with
 * millions of keys.
 */
const CUTS_AT_ONCE = 16;

interface SizedBucket {
  readonly family: KeyFamily;
  readonly bucket: number;
  readonly bytes: number;
  /** Whether it has the greatest ids of its base. */
  readonly isLast: boolean;
  /** Whether none of its deleted keys is still on the disk. */
  readonly isShredded: boolean;
}

/**
 * Splits buckets that have twice as many keys as a full one (or, if ids rise with time, buckets that are full and still
 * get new keys), and retires empty ones. Resolves with the number changed: 0 when there is nothing left to do.
 */
export function balanceKeyBuckets(db: Database, fullKeys = FULL_KEYS): Promise<number> {
  // The shredder's own lock, because the shredder moves keys too.
  return oneAtATime(db, 'shred keys', async () => {
    let changed = 0;
    for (const each of await listSizes(db)) {
      if (changed >= CUTS_AT_ONCE) break;
      if (each.bytes === 0 && !each.isLast && each.isShredded)
        changed += await countUnlessLocked(db, (trx) => retire(trx, each));
      else if (each.bytes >= (isTail(each) ? 1 : 2) * fullKeys * ROW_BYTES[each.family])
        changed += await cut(db, each, fullKeys);
    }
    return changed;
  });
}

/** Ids of challenges rise with time, so all new ones go to the last bucket of their base. */
const isTail = ({ family, isLast }: SizedBucket): boolean => family === 'challenge' && isLast;

async function listSizes(db: Database): Promise<SizedBucket[]> {
  const sideBytes = (side: number) =>
    sql`pg_relation_size(format('%s_key_%s', family, 2 * bucket + ${sql.lit(side)})::regclass)`;
  const { rows } = await sql<SizedBucket>`
    select family, bucket, (${sideBytes(0)} + ${sideBytes(1)})::float8 as bytes,
      lead(from_id) over (partition by family, base order by from_id) is null as "isLast",
      due_at is null as "isShredded"
    from key_bucket
    where base is not null and coalesce(whole_until <= now(), true)
    order by bytes desc`.execute(db);
  return rows;
}

/** Splits off the greatest ids until fewer than two full buckets' keys are left. Resolves with the number of splits. */
async function cut(db: Database, bucket: SizedBucket, fullKeys: number): Promise<number> {
  const [keys, id] = [keysOf(bucket), sql.ref(`${bucket.family}_id`)];
  const { rows } = await sql<{ count: number }>`select count(*)::float8 as count from ${keys}`.execute(db);
  let left = rows[0]!.count;
  let cuts = 0;
  for (; left >= 2 * fullKeys && cuts < CUTS_AT_ONCE; left -= fullKeys) {
    const found = await sql<{ from: string }>`
      select ${id} as from from ${keys} order by ${id} collate "C" desc offset ${fullKeys - 1} limit 1`.execute(
      db,
    );
    if (!(await countUnlessLocked(db, (trx) => moveFrom(trx, bucket, found.rows[0]!.from)))) return cuts;
    cuts += 1;
  }
  if (cuts > 0 || left < fullKeys || !isTail(bucket)) return cuts;
  // Nothing moves: there is no key after the greatest id yet.
  const found = await sql<{ from: string }>`
    select max(${id} collate "C") || '0' as from from ${keys}`.execute(db);
  return countUnlessLocked(db, (trx) => moveFrom(trx, bucket, found.rows[0]!.from));
}

const keysOf = ({ family, bucket }: SizedBucket) =>
  sql`(select * from ${sql.table(`${family}_key`)} where slot in (${sql.join(slotsOf(bucket).map((slot) => sql.lit(slot)))})) keys`;

/** Moves the keys from this id on to a new bucket. */
async function moveFrom(trx: Trx, { family, bucket }: SizedBucket, fromId: string): Promise<void> {
  await lockBuckets(trx);
  const added = await sql<{ bucket: number }>`select add_key_bucket(${family}) as bucket`.execute(trx);
  const fresh = added.rows[0]!.bucket;
  const columns = sql.raw(FAMILIES[family].columns.join(', '));
  const taken = await sql<{ slot: number }>`
    update key_bucket k set base = old.base, from_id = ${fromId}
    from key_bucket old
    where k.family = ${family} and k.bucket = ${fresh} and old.family = ${family} and old.bucket = ${bucket}
    returning 2 * k.bucket + k.side as slot`.execute(trx);
  const { slot } = taken.rows[0]!;
  let moved = 0n;
  for (const leaving of slotsOf(bucket)) {
    const { numAffectedRows = 0n } = await sql`
      with moved as (delete from ${sql.table(`${family}_key_${leaving}`)}
        where ${sql.ref(`${family}_id`)} collate "C" >= ${fromId} returning ${columns})
      insert into ${sql.table(`${family}_key_${slot}`)} (slot, ${columns})
      select ${sql.lit(slot)}, ${columns} from moved`.execute(trx);
    moved += numAffectedRows;
  }
  // The remains of moved keys have to be shredded before an erasure of one of them is answered.
  if (moved > 0n) await markBucketsErased(trx, family, [bucket], AT_ONCE);
}

/** Gives the id range of an empty bucket to the next one of its base. */
async function retire(trx: Trx, { family, bucket }: SizedBucket): Promise<void> {
  await lockBuckets(trx);
  // Nobody writes now: a bucket that has a page by now keeps its range.
  const { rows } = await sql<{ base: number; from_id: string }>`
    update key_bucket k set base = null, from_id = null
    from (select base, from_id from key_bucket where family = ${family} and bucket = ${bucket} for update) old
    where k.family = ${family} and k.bucket = ${bucket} and k.due_at is null and old.base is not null
      and ${sql.join(
        slotsOf(bucket).map((slot) => sql`pg_relation_size(${`${family}_key_${slot}`}::regclass) = 0`),
        sql` and `,
      )}
    returning old.base, old.from_id`.execute(trx);
  const [old] = rows;
  if (!old) return;
  await sql`
    update key_bucket set from_id = ${old.from_id} where family = ${family} and base = ${old.base}
      and from_id = (select min(from_id) from key_bucket
        where family = ${family} and base = ${old.base} and from_id > ${old.from_id})`.execute(trx);
}

/** 1, or 0 if another session writes or erases keys for longer: creations would queue behind this. */
async function countUnlessLocked(db: Database, work: (trx: Trx) => Promise<void>): Promise<number> {
  return (await unlessLocked(db, work)) === 'locked' ? 0 : 1;
}
