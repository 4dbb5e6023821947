// The database's clock in statements, because the clocks of a deployment's processes may differ.
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The database's clock when the row is written, not when its transaction began: it may have waited for a lock. */
export const clockNow = sql<Date>`clock_timestamp()`;

/** The database's clock plus an interval. */
export const clockIn = (milliseconds: number) =>
  sql<Date>`clock_timestamp() + ${milliseconds} * interval '1 millisecond'`;

/** What the database's clock says. */
export async function readClock(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}
