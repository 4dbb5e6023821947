// The table of erasure keys: written with what they open, read with it, and deleted to erase it. Every deletion is noted
// in the same transaction, because the bytes stay on the disk until rewrite.ts has rewritten their bucket.
import { sql } from 'kysely';
import { LOCK_CLASSES } from '../../storage/postgres/coordination/advisory-locks.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import { keyBucket } from '../erasure-key.ts';

/** For an erasure that somebody asked for. */
export const AT_ONCE = 0;
/** For what retention and captures that were sent back leave behind: deletions of ten minutes share a rewrite. */
export const WITHIN_TEN_MINUTES = 600;

/** `videoKey` and `referenceTag`: challenges only. */
export interface NewErasureKey {
  readonly id: string;
  readonly key: Buffer;
  readonly videoKey?: Buffer;
  readonly referenceTag?: Buffer | null;
}

export interface StoredErasureKey {
  readonly key: Buffer;
  readonly videoKey: Buffer | null;
}

/** Ids whose keys are in one bucket, in either of its two slots. */
interface KeysOfBucket {
  readonly bucket: number;
  readonly slots: readonly number[];
  readonly ids: readonly string[];
}

/** The slots of a bucket's two sides. */
export const slotsOf = (bucket: number): [number, number] => [2 * bucket, 2 * bucket + 1];

/** Writes keys, to the sides that take new ones. It waits for no rewrite. */
export async function insertErasureKeys(db: Database, keys: readonly NewErasureKey[]): Promise<void> {
  await erasureKeyRows(keys).execute(db);
}

/** The insert of keys, to be part of a larger statement. */
export function erasureKeyRows(keys: readonly NewErasureKey[]) {
  const column = <T>(read: (key: NewErasureKey) => T) => sql`${keys.map(read)}`;
  return sql`
    insert into erasure_key (slot, id, key, video_key, reference_tag)
    select 2 * bucket + side, id, key, video_key, reference_tag
    from unnest(${column(({ id }) => keyBucket(id))}::smallint[], ${column(({ id }) => id)}::text[],
      ${column(({ key }) => key)}::bytea[], ${column(({ videoKey }) => videoKey ?? null)}::bytea[],
      ${column(({ referenceTag }) => referenceTag ?? null)}::bytea[])
      as given (bucket, id, key, video_key, reference_tag)
    join key_bucket using (bucket)`;
}

/** Keys by id; erased and unknown ones are left out. */
export async function readErasureKeys(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredErasureKey>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; key: Buffer; video_key: Buffer | null }>`
    select id, key, video_key from erasure_keys(${ids}::text[], ${ids.map(keyBucket)}::smallint[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, { key: row.key, videoKey: row.video_key }]));
}

/** Deletes keys. */
export async function eraseKeys(trx: Trx, ids: readonly string[], withinSeconds: number): Promise<void> {
  for (const { slots, ids: own } of await noteErasure(trx, ids, withinSeconds)) {
    await trx
      .deleteFrom('erasure_key')
      .where('slot', '=', sql<number>`any(${slots}::smallint[])`)
      .where('id', '=', sql<string>`any(${own}::text[])`)
      .execute();
  }
}

/**
 * Notes that keys of these ids are about to be deleted or replaced, and whose bytes have to be off the disk within
 * `withinSeconds`. It waits until a rewrite has moved the next keys, and keeps it from moving others until the end of
 * the transaction, so that a later statement finds all keys where they are.
 */
export async function noteErasure(
  trx: Trx,
  ids: readonly string[],
  withinSeconds: number,
): Promise<readonly KeysOfBucket[]> {
  const buckets = byBucket(ids);
  // In order, so that two erasures do not lock keys in opposite orders.
  for (const { bucket } of buckets) {
    await sql`select pg_advisory_xact_lock_shared(${LOCK_CLASSES.keyBuckets}, ${bucket})`.execute(trx);
    const due_at = sql<Date>`now() + ${withinSeconds} * interval '1 second'`;
    await trx.insertInto('key_erasure').values({ bucket, due_at }).execute();
  }
  return buckets;
}

function byBucket(ids: readonly string[]): KeysOfBucket[] {
  const found = new Map<number, string[]>();
  for (const id of ids) found.set(keyBucket(id), [...(found.get(keyBucket(id)) ?? []), id]);
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([bucket, own]) => ({ bucket, slots: slotsOf(bucket), ids: own }));
}
