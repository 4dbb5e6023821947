// Keyed prints of captures' frames: written with each judgement, and compared with those of earlier captures.
import { sql } from 'kysely';
import type { FramePrints } from '../../challenge/store.ts';
import type { Database } from './database.ts';

/** Stores the prints; returns how many of them the earlier capture of the account with the most of them has. */
export async function rememberFrames(db: Database, given: FramePrints): Promise<number> {
  const { accountId, captureId, prints } = given;
  return db.transaction().execute(async (trx) => {
    const rows = prints.map((print) => ({ account_id: accountId, capture_id: captureId, print }));
    await trx
      .insertInto('capture_frame')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Earlier, not merely another: of two judged at once, the first must not fail.
    const found = await trx
      .selectFrom('capture_frame as f')
      .innerJoin('capture as c', 'c.id', 'f.capture_id')
      .innerJoin('capture as own', (join) => join.on('own.id', '=', captureId))
      .select(sql<number>`count(*)`.as('shared'))
      .where('f.account_id', '=', accountId)
      .where('f.print', 'in', prints)
      .whereRef('c.submitted_at', '<', 'own.submitted_at')
      .groupBy('f.capture_id')
      .orderBy('shared', 'desc')
      .limit(1)
      .executeTakeFirst();
    return found?.shared ?? 0;
  });
}
