// Keyed prints of captures' frames: written with each judgement, and compared with those of earlier captures. They lie in
// tables by day, of which there are sixteen in turn (migration 0053).
import { sql } from 'kysely';
import type { FramePrints } from '../../challenge/store.ts';
import type { Database } from './database.ts';
import { unlessLocked } from './unless-locked.ts';

const SLOTS = 16;

/**
 * Stores the prints; returns how many of them the earlier capture with the most of them has, among those
 * committed up to so many days before. Committed, not submitted: a recording that was followed is judged while its last
 * bytes are still being put away. Null where the capture was erased meanwhile.
 */
export async function rememberFrames(
  db: Database,
  { captureId, prints }: FramePrints,
  windowDays: number,
): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    const own = await trx
      .selectFrom('capture')
      .select(sql<number>`day_number(committed_at)`.as('day'))
      .where('id', '=', captureId)
      .where('committed_at', 'is not', null)
      .executeTakeFirst();
    if (!own) return null;
    const rows = prints.map((print) => ({ capture_id: captureId, print, slot: own.day % SLOTS }));
    await trx
      .insertInto('frame_print')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Earlier, not merely another: of two judged at once, the first must not fail.
    const found = await trx
      .selectFrom('frame_print as f')
      .innerJoin('capture as c', 'c.id', 'f.capture_id')
      .innerJoin('capture as own', (join) => join.on('own.id', '=', captureId))
      .select(sql<number>`count(*)`.as('shared'))
      .where('f.slot', 'in', slotsOf(own.day - windowDays, own.day))
      .where('f.print', 'in', prints)
      .whereRef('c.committed_at', '<', 'own.committed_at')
      .where('c.committed_at', '>', sql<Date>`own.committed_at - ${windowDays} * interval '1 day'`)
      .groupBy('f.capture_id')
      .orderBy('shared', 'desc')
      .limit(1)
      .executeTakeFirst();
    return found?.shared ?? 0;
  });
}

/** The slots of these days, both included. */
function slotsOf(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) % SLOTS);
}

/** Empties the tables of days that are over; returns how many were. */
export async function forgetFramePrints(db: Database, windowDays: number): Promise<number> {
  const { rows } = await sql<{ today: number }>`select day_number(now()) as today`.execute(db);
  const { today } = rows[0]!;
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
