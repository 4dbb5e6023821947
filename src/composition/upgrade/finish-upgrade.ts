// The part of an upgrade that needs the keys. It runs after the migrations and before anything is served.
import { sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import type { Custody } from '../../keys/account-keys.ts';
import { oneAtATime } from '../../storage/postgres/coordination/one-at-a-time.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { dropOldLog, overwriteRecycledLog } from '../../storage/postgres/keys/write-ahead-log.ts';
import { maskFeatids } from './mask-featids.ts';
import { resealChallenges } from './reseal-challenges.ts';

/** Lists of remaining work. Migrations 0012 and 0018 create them; they are dropped when the work is done. */
const CHALLENGES_LEFT = 'challenge_to_reseal';
const CAPTURES_LEFT = 'capture_to_reseal';
const FEATIDS_LEFT = 'featid_to_mask';
/** Tables that held plaintext, or data under the account's key alone. */
const CHALLENGE_TABLES = [
  ...['challenge', 'capture', 'capture_chunk', 'asset', 'delivery', 'delivery_attempt'],
  ...[CHALLENGES_LEFT, CAPTURES_LEFT],
];
const FEATID_TABLES = ['featid', FEATIDS_LEFT];

/** Does nothing if no work is left. One process works; others that start meanwhile wait. */
export async function finishUpgrade(db: Database, custody: Custody, log: Logger): Promise<void> {
  if (!(await tableExists(db, CHALLENGES_LEFT)) && !(await tableExists(db, FEATIDS_LEFT))) return;
  await oneAtATime(db, 'finish upgrade', async () => {
    log.warn('upgrading from an older version: challenges and FeatureIDs get keys of their own');
    // Each list is dropped last, so that a killed process resumes there.
    if (await tableExists(db, FEATIDS_LEFT)) {
      await maskFeatids(db, log);
      await dropOldBytes(db, FEATID_TABLES, log);
      await sql`drop table ${sql.table(FEATIDS_LEFT)}`.execute(db);
    }
    if (await tableExists(db, CHALLENGES_LEFT)) {
      const { resealed, failed } = await resealChallenges(db, custody, log);
      if (resealed > 0 || failed === 0) await dropOldBytes(db, CHALLENGE_TABLES, log);
      if (failed === 0) {
        await sql`drop table ${sql.table(CHALLENGES_LEFT)}, ${sql.table(CAPTURES_LEFT)}`.execute(db);
      }
    }
    log.info('the upgrade is finished');
  });
}

async function tableExists(db: Database, table: string): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`select to_regclass(${table}) is not null as left`.execute(db);
  return rows[0]!.left;
}

/** Rewrites the tables without their old contents, and drops the planner's samples of them and the write-ahead log. */
async function dropOldBytes(db: Database, tables: readonly string[], log: Logger): Promise<void> {
  for (const table of tables) await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(db);
  await sql`vacuum full pg_catalog.pg_statistic`.execute(db).catch((err: unknown) => {
    log.warn({ err }, 'old planner statistics could not be removed and are left to autovacuum');
  });
  await overwriteRecycledLog(db);
  const gone = await dropOldLog(db);
  if (gone !== 'dropped')
    log.warn({ gone }, 'what was sealed before the upgrade stays in the write-ahead log for a while');
}
