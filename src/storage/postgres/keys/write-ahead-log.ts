// Closes and removes PostgreSQL's WAL up to now, so that it contains nothing deleted before.
import { sql } from 'kysely';
import type { Database } from '../database.ts';

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

/** As many segments as the default max_wal_size holds. */
const MAX_RECYCLED = 64;

/**
 * Overwrites segments that a server renamed for later use, with their old contents, while `wal_recycle` was on. Needed
 * only once: with it off, there are none.
 */
export async function overwriteRecycledLog(db: Database): Promise<void> {
  try {
    for (let used = 0; used < MAX_RECYCLED; used++) {
      const { rows } = await sql<{ left: boolean }>`
        select current_setting('wal_recycle') = 'off' and exists (select from pg_ls_waldir()
          where name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_insert_lsn())) as left`.execute(
        db,
      );
      if (!rows[0]!.left) return;
      await sql`select pg_logical_emit_message(false, 'likeness', 'on to the next segment')`.execute(db);
      await sql`select pg_switch_wal()`.execute(db);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
  }
}
