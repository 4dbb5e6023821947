// The guessing limit of FeatureIDs (contract §6): guesses are reserved when a challenge is created, given back when it
// closes, and counted when it passed as live and matched nobody. Each function works in the transaction of its deed.
import { sql } from 'kysely';
import type { PausedFeatid } from '../../challenge/store.ts';
import type { Database } from './database.ts';

/**
 * Failures that may fall into the window, and open challenges that may hold a guess beside them (contract §6; NIST
 * SP 800-63B-4 §3.2.3 allows ten in a row where attacks are detected).
 */
const ALLOWANCE = 5;
const WINDOW = sql`interval '15 minutes'`;
/**
 * The first pause, doubled by each further one: 1, 2, 4 … 60 minutes. At the cap a FeatureID can be guessed 120 times a
 * day, and whoever was locked out by somebody else's failures waits an hour at most.
 */
const FIRST_PAUSE = sql`interval '1 minute'`;
const LONGEST_PAUSE = sql`interval '60 minutes'`;
/** 2^6 minutes are beyond the cap already; a larger exponent would only overflow. */
const MAX_DOUBLINGS = 6;
/** A pause that ended this long ago makes the next one no longer. */
const PAUSES_FORGOTTEN_AFTER = sql`interval '24 hours'`;

/** Reserves a guess of each for the challenge; where one has none left, none is reserved and those are answered. */
export async function reserveGuesses(
  trx: Database,
  challengeId: string,
  featidIds: readonly string[],
): Promise<PausedFeatid[]> {
  const { rows } = await sql<{ featid_id: string; wait_seconds: number }>`
    select featid_id, ceil(extract(epoch from free_at - clock_timestamp()))::float8 as wait_seconds
    from reserve_featids(${challengeId}, ${featidIds}::text[], ${ALLOWANCE}, ${WINDOW})`.execute(trx);
  return rows.map((row) => ({ id: row.featid_id, retryAfterSeconds: Math.max(1, row.wait_seconds) }));
}

/** Counts a failure for every FeatureID that the challenge has reserved; the fifth in the window begins a pause. */
export async function countFailure(trx: Database, challengeId: string): Promise<void> {
  const named = sql`(select featid_id from featid_reservation where challenge_id = ${challengeId})`;
  // Locked first and in order, so that the update below sees what others counted meanwhile.
  await sql`select 1 from featid where id in ${named} order by id for no key update`.execute(trx);
  await sql`
    update featid set
      failed_at = case when is_full then '{}' else recent end,
      pauses = case when is_full then least(level + 1, ${MAX_DOUBLINGS}) else level end,
      paused_until = case when is_full
        then clock_timestamp() + least(${LONGEST_PAUSE}, ${FIRST_PAUSE} * (2 ^ level)) else paused_until end
    from (
      select id as counted_id, recent, cardinality(recent) >= ${ALLOWANCE} as is_full,
        case when paused_until > clock_timestamp() - ${PAUSES_FORGOTTEN_AFTER} then pauses else 0 end as level
      from featid, lateral (
        select array(select t from unnest(failed_at) as t where t > clock_timestamp() - ${WINDOW} order by t)
          || clock_timestamp() as recent) as failures
      where id in ${named}) as counting
    where id = counted_id and revoked_at is null`.execute(trx);
}

/** Gives the guesses of closed challenges back. */
export async function releaseGuesses(trx: Database, challengeIds: readonly string[]): Promise<void> {
  await trx.deleteFrom('featid_reservation').where('challenge_id', 'in', challengeIds).execute();
}

/** Ends a pause and forgets what led to it. Open challenges no longer hold guesses; their failures still count. */
export async function forgetFailures(trx: Database, featidId: string): Promise<void> {
  await trx
    .updateTable('featid')
    .set({ failed_at: [], pauses: 0, paused_until: null })
    .where('id', '=', featidId)
    .execute();
  await trx
    .updateTable('featid_reservation')
    .set({ counted: false })
    .where('featid_id', '=', featidId)
    .execute();
}
