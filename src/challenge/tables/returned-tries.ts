// Tries that a challenge gets back, because the service lost the recording.
import { type RawBuilder, sql } from 'kysely';
import { clockNow } from '../../storage/postgres/clock.ts';
import { wasAbsent } from '../../storage/postgres/coordination/service-absence.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';

/** Most tries that one challenge gets back for absences: whoever can cause them must not draw scripts without end. */
const MAX_RETURNED_TRIES = 2;

/** Of a capture `c`: its recording did not end, and nobody answered for some of that time. */
const lostInAbsence = sql<boolean>`c.state in ('issued', 'abandoned') and c.committed_at is null
  and (select count(*) from capture o where o.challenge_id = c.challenge_id and o.try_returned) < ${MAX_RETURNED_TRIES}
  and ${wasAbsent(sql`c.issued_at`, sql`least(c.commit_deadline, ${clockNow})`)}`;

/** Gives back the tries of recordings that did not end, during which the service was absent. */
export function returnTriesOfAbsence(db: Database | Trx, captureIds: readonly string[]): Promise<void> {
  return returnTries(db, captureIds, lostInAbsence);
}

/** Gives back the tries that these captures used, each once. */
export async function returnTries(
  db: Database | Trx,
  captureIds: readonly string[],
  isOwed: RawBuilder<boolean> = sql`true`,
): Promise<void> {
  if (captureIds.length === 0) return;
  // The challenge's row first, as every change of it does. No two of these captures are of one challenge.
  await sql`
    with locked as (
      select id from challenge where id in (select challenge_id from capture where id = any(${captureIds}::text[]))
      for update
    ), returned as (
      update capture c set try_returned = true from locked
      where c.challenge_id = locked.id and c.id = any(${captureIds}::text[]) and not c.try_returned and ${isOwed}
      returning c.challenge_id
    )
    update challenge set tries_used = greatest(tries_used - 1, 0)
    where id in (select challenge_id from returned)`.execute(db);
}
