// The doctor's check of erasure: whether an erased key is gone from PostgreSQL's files when DELETE responds, or what
// prevents this.
import type { OpenDatabase } from '../../storage/open-database.ts';
import { type ErasureFacts, readErasureFacts } from '../../storage/postgres/keys/erasure-facts.ts';
import type { Finding } from './check.ts';

/** A run of the sweep with its retries takes less than this; a concurrent dump may take longer. */
const MAX_OVERDUE_SECONDS = 120;

/** Conditions that delay an erasure, each with its remedy. */
const OBSTACLES: readonly {
  readonly is: (facts: ErasureFacts) => boolean;
  readonly detail: string;
  readonly mend: string;
}[] = [
  {
    is: ({ overdueSeconds }) => overdueSeconds > MAX_OVERDUE_SECONDS,
    detail: 'keys of erased challenges have been overdue for minutes',
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

/** Warns if an erased key may still be found after DELETE has responded. */
export async function checkErasure(database: Pick<OpenDatabase, 'db'> | undefined): Promise<Finding> {
  if (!database) return { status: 'notEvaluated', detail: 'no database to ask' };
  const facts = await readErasureFacts(database.db);
  const found = OBSTACLES.filter(({ is }) => is(facts));
  if (found.length === 0)
    return { status: 'ok', detail: 'erased keys are off the disk when DELETE responds' };
  return {
    status: 'warning',
    detail: found.map(({ detail }) => detail).join('; '),
    mend: found.map(({ mend }) => mend).join('; '),
  };
}
