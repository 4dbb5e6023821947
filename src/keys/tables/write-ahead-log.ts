// Closes and removes PostgreSQL's WAL up to now, so that it contains nothing deleted before.
import { sql } from 'kysely';
import type { Database } from '../../storage/postgres/database.ts';

/**
 * `dropped`: no segment from before the call is left. `kept`: the server keeps some, for a standby, an archive, or by
 * its settings. `notPermitted`: this user may not do it; the server's own checkpoints will.
 */
export type LogDropped = 'dropped' | 'kept' | 'notPermitted';

/**
 * Switches to a new segment and makes a checkpoint, after which the server removes older ones. With `wal_recycle` on,
 * it renames them with their contents instead, which counts as kept.
 */
export async function dropOldLog(db: Database): Promise<LogDropped> {
  try {
    await sql`select pg_switch_wal()`.execute(db);
    await sql`checkpoint`.execute(db);
    const { rows } = await sql<{ kept: boolean }>`
      select current_setting('wal_recycle') = 'on'
        or exists (select from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'
          and name < (select redo_wal_file from pg_control_checkpoint())) as kept`.execute(db);
    return rows[0]!.kept ? 'kept' : 'dropped';
  } catch (error) {
    // insufficient_privilege
    if ((error as { code?: string }).code === '42501') return 'notPermitted';
    throw error;
  }
}
