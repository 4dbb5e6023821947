// Keyed prints of captures' frames: written with each judgement, and compared with those of others. They lie in
// tables by day, of which there are sixteen in turn (migration 0053).
import { sql } from 'kysely';
import type { FramePrints } from '../../challenge/store.ts';
import type { Database } from './database.ts';
import { takeTurn } from './one-at-a-time.ts';
import { unlessLocked } from './unless-locked.ts';

const SLOTS = 16;

/**
 * Stores the prints; returns how many of them the capture with the most of them has, among those whose prints are there
 * already and that were committed at most so many days before, or later. A capture is compared once, and captures of one
 * account take turns: of any number with the same footage all but the first find another, in whatever order they were
 * committed, sent or taken. Asked again for the same capture it answers what it found. Null where the capture was erased
 * meanwhile.
 */
export async function rememberFrames(
  db: Database,
  { captureId, accountId, prints }: FramePrints,
  windowDays: number,
): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    await takeTurn(trx, `prints of ${accountId}`);
    // Locked: an erasure waits until the prints are there, and takes them with it.
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
    // They may be there from a judgement by a version that kept no count.
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

/** The most of these prints that one other capture has. */
async function countShared(
  trx: Database,
  own: Omit<FramePrints, 'accountId'> & {
    readonly committed_at: Date | null;
    readonly day: number;
    readonly windowDays: number;
  },
): Promise<number> {
  const { captureId, prints, committed_at, day, windowDays } = own;
  const most = await trx
    .selectFrom('frame_print as f')
    .innerJoin('capture as c', 'c.id', 'f.capture_id')
    .select(sql<number>`count(*)`.as('shared'))
    .where('f.slot', 'in', slotsOf(day - windowDays, await dayNow(trx)))
    .where('f.print', 'in', prints)
    .where('f.capture_id', '<>', captureId)
    .where('c.committed_at', '>', sql<Date>`${committed_at}::timestamptz - ${windowDays} * interval '1 day'`)
    .groupBy('f.capture_id')
    .orderBy('shared', 'desc')
    .limit(1)
    .executeTakeFirst();
  return most?.shared ?? 0;
}

async function dayNow(db: Database): Promise<number> {
  const { rows } = await sql<{ today: number }>`select day_number(clock_timestamp()) as today`.execute(db);
  return rows[0]!.today;
}

/** The slots of these days, both included. */
function slotsOf(from: number, to: number): number[] {
  return Array.from({ length: Math.min(SLOTS, to - from + 1) }, (_, index) => (from + index) % SLOTS);
}

/** Empties the tables of days that are over; returns how many were. */
export async function forgetFramePrints(db: Database, windowDays: number): Promise<number> {
  const today = await dayNow(db);
  // A capture that waits long for its judgement looks back from the day of its commit; one at midnight may be of tomorrow.
  const inUse = new Set(slotsOf(today - windowDays, today + 1));
  let emptied = 0;
  for (let slot = 0; slot < SLOTS; slot++) {
    if (!inUse.has(slot) && (await empty(db, slot))) emptied += 1;
  }
  return emptied;
}

/** False where there was nothing, or somebody reads the table: judgements would queue behind its emptying. */
async function empty(db: Database, slot: number): Promise<boolean> {
  const table = sql.table(`frame_print_${slot}`);
  const { rows } = await sql`select from ${table} limit 1`.execute(db);
  if (rows.length === 0) return false;
  return (await unlessLocked(db, (trx) => sql`truncate ${table}`.execute(trx))) !== 'locked';
}
