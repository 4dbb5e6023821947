// The doctor's check of the database server: its version, and whether acknowledged commits are durable.
import type { OpenDatabase } from '../storage/open-database.ts';
import { readServerSettings } from '../storage/postgres/server-settings.ts';
import type { Finding } from './check.ts';

/** Warns if a power cut would lose acknowledged rows. */
export async function checkServer({ db }: OpenDatabase): Promise<Finding> {
  const { version, fsync, synchronousCommit } = await readServerSettings(db);
  const detail = `PostgreSQL ${version}, migrated`;
  if (fsync === 'on' && synchronousCommit !== 'off') return { status: 'ok', detail };
  const mend = 'set fsync and synchronous_commit to on: otherwise a power cut loses acknowledged challenges';
  return {
    status: 'warning',
    detail: `${detail}, fsync ${fsync}, synchronous_commit ${synchronousCommit}`,
    mend,
  };
}
