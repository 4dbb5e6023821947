// What the database server says of itself.
import { sql } from 'kysely';
import type { Database } from './database.ts';

export interface ServerSettings {
  readonly version: string;
  /** `on`: commits reach the disk. */
  readonly fsync: string;
  /** `off`: a commit is acknowledged before it is on the disk. */
  readonly synchronousCommit: string;
}

export async function readServerSettings(db: Database): Promise<ServerSettings> {
  const { rows } = await sql<ServerSettings>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as "synchronousCommit"`.execute(db);
  return rows[0]!;
}

/** Whether the database accepts writes: a standby does not. */
export async function acceptsWrites(db: Database): Promise<boolean> {
  const { rows } = await sql<{ accepts: boolean }>`
    select current_setting('transaction_read_only') = 'off' as accepts`.execute(db);
  return rows[0]!.accepts;
}
