// Counts the rows that a statement reads to find its own, which does not depend on the machine's load.
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../src/storage/postgres/schema.ts';

/** The rows of the table that the action reads within one transaction, and its answer. */
export function rowsRead<Answer>(
  db: Kysely<Schema>,
  table: string,
  action: (trx: Kysely<Schema>) => Promise<Answer>,
): Promise<{ read: number; answer: Answer }> {
  return db.transaction().execute(async (trx) => {
    const count = async () => {
      const { rows } = await sql<{ read: number }>`
        select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as read
        from pg_stat_xact_user_tables where relname = ${table}`.execute(trx);
      return rows[0]!.read;
    };
    const before = await count();
    const answer = await action(trx);
    return { read: (await count()) - before, answer };
  });
}
