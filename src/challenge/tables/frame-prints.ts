// Keyed prints of captures' frames: written with each judgement and compared with those of other captures.
import { sql } from 'kysely';
import { takeTurn } from '../../storage/postgres/coordination/one-at-a-time.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';

/** Prints of a capture's frames, keyed by account, so that they never match another account's. */
export interface FramePrints {
  readonly captureId: string;
  readonly accountId: string;
  readonly prints: readonly Buffer[];
}

/**
 * Remembers the prints of a committed capture. Resolves with the largest number of them that any single capture has,
 * among captures whose prints are stored already and that were committed at most `windowDays` before this one, or
 * later. A capture is compared once, and captures of one account take turns, so of any number with the same footage all
 * but the first find another, in whatever order they were committed, sent or taken. Repeated for the same capture, it
 * gives the first answer. Null if the capture was erased meanwhile. /
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
      .select('shared_prints')
      .where('id', '=', captureId)
      .where('committed_at', 'is not', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!own) return null;
    if (own.shared_prints !== null) return own.shared_prints;
    const shared = await countShared(trx, { captureId, prints, windowDays });
    await sql`
      insert into frame_print (capture_id, print, committed_at)
      select id, print, committed_at from capture, unnest(${prints}::bytea[]) as print
      where id = ${captureId}`.execute(trx);
    await trx.updateTable('capture').set({ shared_prints: shared }).where('id', '=', captureId).execute();
    return shared;
  });
}

/** The largest number of these prints that one other capture has. */
async function countShared(
  trx: Trx,
  own: Omit<FramePrints, 'accountId'> & { readonly windowDays: number },
): Promise<number> {
  const { rows } = await sql<{ shared: number }>`
    select count(distinct print) as shared from frame_print
    where print = any (${own.prints}::bytea[])
      and committed_at > (select committed_at from capture where id = ${own.captureId})
        - ${own.windowDays} * interval '1 day'
    group by capture_id order by shared desc limit 1`.execute(trx);
  return rows[0]?.shared ?? 0;
}

/**
 * Deletes up to `limit` prints of captures that were committed before the window; resolves with their number. A capture
 * that waits for its judgement looks back from its commit, so they are kept for another day.
 */
export async function forgetFramePrints(db: Database, windowDays: number, limit: number): Promise<number> {
  const deleted = await sql`
    delete from frame_print where ctid = any (array(
      select ctid from frame_print where committed_at < now() - ${windowDays + 1} * interval '1 day'
      order by committed_at limit ${limit} for update skip locked))`.execute(db);
  return Number(deleted.numAffectedRows ?? 0);
}
