// Keyed prints of captures' frames: written with each judgement and compared with those of other captures. Eight tables
// of three days each are used in turn.
import { sql } from 'kysely';
import type { FramePrints } from '../../../challenge/store.ts';
import { takeTurn } from '../coordination/one-at-a-time.ts';
import { unlessLocked } from '../coordination/unless-locked.ts';
import type { Database, Trx } from '../database.ts';

/** Days in the rotation; each day is a slot. */
const SLOTS = 24;
const DAYS_PER_TABLE = 3;
const TABLES = SLOTS / DAYS_PER_TABLE;

/**
 * Stores the prints. Resolves with the largest number of them that any single capture has, among captures whose prints
 * are stored already and that were committed at most `windowDays` before this one, or later. A capture is compared
 * once, and captures of one account take turns, so of any number with the same footage all but the first find another,
 * in whatever order they were committed, sent or taken. Repeated for the same capture, it gives the first answer. Null
 * if the capture was erased meanwhile.
 */
export async function rememberFrames(
  db: Database,
  { captureId, accountId, prints }: FramePrints,
  windowDays: number,
): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    await takeTurn(trx, `prints of ${accountId}`);
    // Locked, so that an erasure waits until the prints are there and deletes them too.
    const own = await trx
      .selectFrom('capture')
      .select(['committed_at', 'shared_prints', sql<number>`day_number(committed_at)`.as('day')])
      .where('id', '=', captureId)
      .where('committed_at', 'is not', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!own) return null;
    if (own.shared_prints !== null) return own.shared_prints;
    const rows = prints.map((print) => ({ capture_id: captureId, print, slot: own.day % SLOTS }));
    // A judgement by a version that kept no count may have stored them already.
    await trx
      .insertInto('frame_print')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const shared = await countShared(trx, { captureId, prints, ...own, windowDays });
    await trx.updateTable('capture').set({ shared_prints: shared }).where('id', '=', captureId).execute();
    return shared;
  });
}

/** The largest number of these prints that one other capture has. Searches all tables: an empty one costs nothing. */
async function countShared(
  trx: Trx,
  own: Omit<FramePrints, 'accountId'> & { readonly committed_at: Date | null; readonly windowDays: number },
): Promise<number> {
  const { captureId, prints, committed_at, windowDays } = own;
  const most = await trx
    .selectFrom('frame_print as f')
    .innerJoin('capture as c', 'c.id', 'f.capture_id')
    .select(sql<number>`count(*)`.as('shared'))
    .where('f.print', 'in', prints)
    .where('f.capture_id', '<>', captureId)
    .where('c.committed_at', '>', sql<Date>`${committed_at}::timestamptz - ${windowDays} * interval '1 day'`)
    .groupBy('f.capture_id')
    .orderBy('shared', 'desc')
    .limit(1)
    .executeTakeFirst();
  return most?.shared ?? 0;
}

/** Empties the tables whose days are all past the window; resolves with their number. */
export async function forgetFramePrints(db: Database, windowDays: number): Promise<number> {
  const { rows } = await sql<{ today: number }>`select day_number(clock_timestamp()) as today`.execute(db);
  const { today } = rows[0]!;
  const inUse = new Set<number>();
  // A capture that waits long for its judgement looks back from the day of its commit, and one at midnight may be dated
  // tomorrow.
  for (let day = today - windowDays; day <= today + 1; day++) inUse.add(tableOf(day));
  let emptied = 0;
  for (let table = 0; table < TABLES; table++) {
    if (!inUse.has(table) && (await empty(db, table))) emptied += 1;
  }
  return emptied;
}

const tableOf = (day: number) => Math.floor((day % SLOTS) / DAYS_PER_TABLE);

/** False if there was nothing, or another session reads the table: judgements would queue behind the TRUNCATE. */
async function empty(db: Database, number: number): Promise<boolean> {
  const table = sql.table(`frame_print_days_${number}`);
  const { rows } = await sql`select from ${table} limit 1`.execute(db);
  if (rows.length === 0) return false;
  return (await unlessLocked(db, (trx) => sql`truncate ${table}`.execute(trx))) !== 'locked';
}
