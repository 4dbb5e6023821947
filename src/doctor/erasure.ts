// The doctor's check of erasure: how long the oldest erased key waits to be off the disk, and what could keep one in
// PostgreSQL's files for longer than a minute.

import { type ErasureFacts, readErasureFacts } from '../keys/tables/erasure-facts.ts';
import type { OpenDatabase } from '../storage/open-database.ts';
import type { Finding } from './check.ts';

/** The promise to those who erase. */
const MAX_WAIT_SECONDS = 60;

/** Conditions that delay an erasure, each with its remedy. */
const OBSTACLES: readonly {
  readonly is: (facts: ErasureFacts) => boolean;
  readonly detail: string;
  readonly mend: string;
}[] = [
  {
    is: ({ oldestSeconds }) => oldestSeconds > MAX_WAIT_SECONDS,
    detail: 'erased keys have been on the disk for more than a minute',
    mend: 'end old transactions (select pid, xact_start from pg_stat_activity order by 2); make sure that an API process runs',
  },
  {
    is: ({ mayDropLog }) => !mayDropLog,
    detail:
      'this user may not drop the write-ahead log: erased keys stay in it until the server makes a checkpoint itself',
    mend: 'grant pg_checkpoint and pg_monitor to the user of DATABASE_URL, and execute on function pg_switch_wal()',
  },
  {
    is: ({ recyclesLog }) => recyclesLog,
    detail: 'old segments of the write-ahead log are renamed with their contents, until they are overwritten',
    mend: 'alter system set wal_recycle = off, then select pg_reload_conf()',
  },
  {
    is: ({ keepsLog }) => keepsLog,
    detail: 'old segments of the write-ahead log are kept by wal_keep_size',
    mend: 'set wal_keep_size to 0; use a replication slot to keep what a standby needs',
  },
  {
    is: ({ archivesLog }) => archivesLog,
    detail: 'the write-ahead log is archived: erased keys remain in the archive',
    mend: 'keep the archive no longer than an erasure may take, and encrypt it (docs/operations/backup-and-restore.md)',
  },
  {
    is: ({ slots }) => slots > 0,
    detail:
      'a replication slot keeps the write-ahead log until its standby has received it; standbys have their own files',
    mend: 'make sure that standbys keep up (pg_replication_slots), and set wal_recycle to off there too',
  },
];

/** Warns if an erased key may be found for longer than a minute. */
export async function checkErasure(database: Pick<OpenDatabase, 'db'> | undefined): Promise<Finding> {
  if (!database) return { status: 'notEvaluated', detail: 'no database to ask' };
  const facts = await readErasureFacts(database.db);
  const found = OBSTACLES.filter(({ is }) => is(facts));
  const waits =
    facts.oldestSeconds > 0
      ? `the oldest that waits has waited for ${Math.ceil(facts.oldestSeconds)} s`
      : 'none waits';
  if (found.length === 0)
    return { status: 'ok', detail: `erased keys are off the disk within a minute; ${waits}` };
  return {
    status: 'warning',
    detail: [...found.map(({ detail }) => detail), waits].join('; '),
    mend: found.map(({ mend }) => mend).join('; '),
  };
}
