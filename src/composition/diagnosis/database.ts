// The doctor's check of the database server: its version, and whether acknowledged commits are durable.
import { sql } from 'kysely';
import type { OpenDatabase } from '../../storage/open-database.ts';
import type { Finding } from './check.ts';

/** Warns if a power cut would lose acknowledged rows. */
export async function checkServer({ db }: OpenDatabase): Promise<Finding> {
  const { rows } = await sql<{ version: string; fsync: string; commits: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commits`.execute(db);
  const { version, fsync, commits } = rows[0]!;
  const detail = `PostgreSQL ${version}, migrated`;
  if (fsync === 'on' && commits !== 'off') return { status: 'ok', detail };
  const mend = 'set fsync and synchronous_commit to on: otherwise a power cut loses acknowledged challenges';
  return { status: 'warning', detail: `${detail}, fsync ${fsync}, synchronous_commit ${commits}`, mend };
}
