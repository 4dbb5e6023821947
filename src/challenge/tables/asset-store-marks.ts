// What the database knows about its asset store (StoreMarks in src/storage/assets/marked-blobs.ts).
import type { StoreMarks } from '../../storage/assets/marked-blobs.ts';
import { oneAtATime } from '../../storage/postgres/coordination/one-at-a-time.ts';
import type { Database } from '../../storage/postgres/database.ts';

/** Several, since one may be lost or about to be deleted. */
const SAMPLE_SIZE = 10;

export function createStoreMarks(db: Database): StoreMarks {
  return {
    async read() {
      return (await db.selectFrom('asset_store').select(['mark', 'placed']).executeTakeFirst()) ?? null;
    },
    alone: (work) => oneAtATime(db, 'asset store mark', work),
    async propose(mark) {
      await db
        .insertInto('asset_store')
        .values({ mark })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async confirm() {
      await db.updateTable('asset_store').set({ placed: true }).execute();
    },
    async newestAssets() {
      const rows = await db
        .selectFrom('asset')
        .select('id')
        .where('deleting', '=', false)
        .orderBy('id', 'desc')
        .limit(SAMPLE_SIZE)
        .execute();
      return rows.map((row) => row.id);
    },
  };
}
