// What an upgrade leaves to be done with the keys at hand, after the migrations and before anything is served.
import { sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import type { Custody } from '../../keys/account-keys.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { oneAtATime } from '../../storage/postgres/one-at-a-time.ts';
import { resealChallenges } from './reseal-challenges.ts';

/** Does nothing where nothing is left. One process works, others that start beside it wait. */
export async function finishUpgrade(db: Database, custody: Custody, log: Logger): Promise<void> {
  if (!(await isPending(db))) return;
  await oneAtATime(db, 'finish upgrade', async () => {
    if (!(await isPending(db))) return;
    log.warn('an older version is upgraded: its challenges are sealed under keys of their own');
    const { resealed, failed } = await resealChallenges(db, custody, log);
    if (resealed > 0 || failed === 0) await dropOldBytes(db, log);
    // Last: whoever was killed before begins again here.
    if (failed === 0) await sql`drop table challenge_to_reseal, capture_to_reseal`.execute(db);
    log.info({ resealed, failed }, 'the upgrade is finished');
  });
}

async function isPending(db: Database): Promise<boolean> {
  const { rows } = await sql<{ pending: boolean }>`
    select to_regclass('challenge_to_reseal') is not null as pending`.execute(db);
  return rows[0]!.pending;
}

/** Tables that held something in clear, or under the account's key. */
const REWRITTEN = [
  ...['challenge', 'capture', 'capture_chunk', 'asset', 'delivery', 'delivery_attempt', 'idempotency'],
  'challenge_to_reseal',
  'capture_to_reseal',
];

/** Rewrites the tables without what they held before; what the planner had sampled of them, where it may. */
async function dropOldBytes(db: Database, log: Logger): Promise<void> {
  for (const table of REWRITTEN) await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(db);
  await sql`vacuum full pg_catalog.pg_statistic`.execute(db).catch((err: unknown) => {
    log.warn({ err }, 'old statistics of the planner are left to its own cleaning');
  });
}
