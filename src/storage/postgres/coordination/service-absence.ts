// When the service was absent: nobody answered, as the database, the network to it or every API process was away. While
// one is there, it notes that once a second, on the database's clock; a gap between two notes is an absence.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';

export const NOTE_EVERY_MS = 1_000;
/**
 * A shorter gap is none: two notes are as far apart, and a slow statement. A recording survives a gap of up to 4 s.
 * Chosen, not measured.
 */
const ABSENT_MS = 2_500;
/** No recording is as old. */
const KEPT_FOR = sql`interval '1 day'`;

const ABSENT = sql`${sql.lit(ABSENT_MS)} * interval '1 millisecond'`;

/** Notes that the service answers, and the absence that ends with it. Resolves with the number of absences: 0 or 1. */
export async function notePresence(db: Database): Promise<number> {
  const noted = await sql`
    with before as (select at from service_presence for update),
    noted as (
      update service_presence p set at = clock_timestamp() from before returning before.at as from_at, p.at as to_at
    ), forgotten as (delete from service_absence where to_at < now() - ${KEPT_FOR})
    insert into service_absence (from_at, to_at) select from_at, to_at from noted where to_at - from_at > ${ABSENT}`.execute(
    db,
  );
  return Number(noted.numAffectedRows);
}

/** Whether the service was absent between two times; also if nobody has noted its return yet. */
export const wasAbsent = (from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from (
      select from_at, to_at from service_absence union all select at, clock_timestamp() from service_presence
    ) a where least(a.to_at, ${to}) - greatest(a.from_at, ${from}) > ${ABSENT})`;
