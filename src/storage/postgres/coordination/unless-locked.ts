// Work that needs a lock that another session, such as a dump, may hold for a long time. All other sessions would queue
// behind the one that waits for it, so the wait is short and the work is postponed.
import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';

const LOCK_TIMEOUT = sql.lit('200ms');
const LOCK_NOT_AVAILABLE = '55P03';

/** Does the work in one transaction. `locked`: a lock was not available in time, and nothing was written. */
export async function unlessLocked<T>(db: Database, work: (trx: Trx) => Promise<T>): Promise<T | 'locked'> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = ${LOCK_TIMEOUT}`.execute(trx);
      return work(trx);
    });
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return 'locked';
    throw error;
  }
}
