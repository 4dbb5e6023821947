// Settings of this server and rights of this user that decide how long an erased key stays in PostgreSQL's files.
import { sql } from 'kysely';
import type { Database } from '../../storage/postgres/database.ts';

export interface ErasureFacts {
  /** Whether this user may switch WAL segments, make a checkpoint and list the WAL. */
  readonly mayDropLog: boolean;
  /** Whether old segments are recycled with their contents instead of deleted (`wal_recycle`). */
  readonly recyclesLog: boolean;
  /** Whether old segments are kept by `wal_keep_size`. */
  readonly keepsLog: boolean;
  /** Whether segments are archived (`archive_mode`). */
  readonly archivesLog: boolean;
  /** Number of replication slots: each keeps the WAL that its standby has not received. */
  readonly slots: number;
  /** How long the oldest erased key that is due waits to be off the disk; 0 if none does. */
  readonly oldestSeconds: number;
}

export async function readErasureFacts(db: Database): Promise<ErasureFacts> {
  const { rows } = await sql<ErasureFacts>`
    select has_function_privilege('pg_switch_wal()', 'execute') and has_function_privilege('pg_ls_waldir()', 'execute')
        and exists (select from pg_roles r where (r.rolsuper and r.rolname = current_user)
          or (r.rolname = 'pg_checkpoint' and pg_has_role(r.oid, 'usage'))) as "mayDropLog",
      current_setting('wal_recycle')::boolean as "recyclesLog",
      current_setting('wal_keep_size') <> '0' as "keepsLog",
      current_setting('archive_mode') <> 'off' as "archivesLog",
      (select count(*)::int from pg_replication_slots) as slots,
      (select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 from key_erasure
        where due_at <= now()) as "oldestSeconds"`.execute(db);
  return rows[0]!;
}
