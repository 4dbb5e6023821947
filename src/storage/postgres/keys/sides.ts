// The two sides of a key bucket: new keys go to one; the other is emptied until none of its bytes is on the disk.
import { sql } from 'kysely';
import { unlessLocked } from '../coordination/unless-locked.ts';
import type { Database, Trx } from '../database.ts';
import type { KeyFamily } from './buckets.ts';

/** Columns of a family's rows except the slot, and the number of indexes of its tables. */
export const FAMILIES: Readonly<Record<KeyFamily, { columns: readonly string[]; indexes: number }>> = {
  challenge: { columns: ['challenge_id', 'details_key', 'video_key', 'reference_tag'], indexes: 2 },
  featid: { columns: ['featid_id', 'template_key'], indexes: 1 },
};

/** An index without entries is one page. */
const PAGE_BYTES = 8192;

/** Directs new keys to the other side. */
export async function switchSides(db: Database, family: KeyFamily, bucket: number): Promise<void> {
  await sql`update key_bucket set side = 1 - side where family = ${family} and bucket = ${bucket}`.execute(
    db,
  );
}

/**
 * Moves the keys off the side that takes no new ones, and truncates that side. VACUUM truncates only what no
 * transaction can see any more, a running backup included, and does not wait; a file without pages is the proof. False
 * if pages remain, because a transaction still sees or reads them.
 */
export async function emptySide(db: Database, family: KeyFamily, bucket: number): Promise<boolean> {
  const leaving = await db.transaction().execute((trx) => moveKeys(trx, family, bucket));
  const table = sql.table(leaving);
  const before = await sizeOf(db, leaving);
  if (before.heap === 0 && before.indexes <= FAMILIES[family].indexes * PAGE_BYTES) return true;
  if (before.heap > 0) await sql`vacuum (truncate, index_cleanup on, parallel 0) ${table}`.execute(db);
  if ((await sizeOf(db, leaving)).heap > 0) return false;
  return (await unlessLocked(db, (trx) => dropIndexPages(trx, leaving))) === true;
}

/** One transaction, so that concurrent readers find every key on one side or the other. */
async function moveKeys(trx: Trx, family: KeyFamily, bucket: number): Promise<string> {
  // Erasures hold this row until they commit, so none deletes a key while it moves.
  const { rows } = await sql<{ side: number }>`
    select side from key_bucket where family = ${family} and bucket = ${bucket} for update`.execute(trx);
  const taking = 2 * bucket + rows[0]!.side;
  const leaving = 2 * bucket + 1 - rows[0]!.side;
  const columns = sql.raw(FAMILIES[family].columns.join(', '));
  await sql`
    with moved as (delete from ${sql.table(`${family}_key_${leaving}`)} returning ${columns})
    insert into ${sql.table(`${family}_key_${taking}`)} (slot, ${columns})
    select ${taking}, ${columns} from moved`.execute(trx);
  return `${family}_key_${leaving}`;
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
    select pg_relation_size(${name}::regclass) as heap, pg_indexes_size(${name}::regclass) as indexes`.execute(
    db,
  );
  return rows[0]!;
}
