// The guessing limit of FeatureIDs: a judged challenge that compared and did not pass counts as a failure of each
// FeatureID that it compared with; five failures begin a pause. Checked and counted in the transaction that reveals the
// scores, so that any number of simultaneous judgements reveals no more than the same number in sequence.
import { sql } from 'kysely';
import type { FieldFaultCode } from '../../contract/problem.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';

/**
 * Failures within the window that begin a pause. NIST SP 800-63B-4, 3.2.3.3, allows five consecutive ones, or ten with
 * presentation attack detection.
 */
const ALLOWANCE = 5;
const WINDOW = sql`interval '15 minutes'`;
/**
 * The first pause, doubled by each further one: 1, 2, 4 … 60 minutes. A person locked out by another's failures waits
 * an hour at most.
 */
const FIRST_PAUSE = sql`interval '1 minute'`;
const LONGEST_PAUSE = sql`interval '60 minutes'`;
/** 2^6 minutes already exceed the cap; a larger exponent would only overflow. */
const MAX_DOUBLINGS = 6;
/** A pause that ended this long ago no longer lengthens the next one. */
const PAUSES_FORGOTTEN_AFTER = sql`interval '24 hours'`;

/** Why a FeatureID that was opened for a comparison may no longer be compared with when the comparison ends. */
export type ComparisonBar = Extract<FieldFaultCode, 'featid_paused' | 'featid_revoked'>;

/**
 * Which of these are paused, or were revoked since they were opened. The others are locked, in order, until the
 * transaction ends, so that failures being counted by another judgement, or a revocation, are waited for and seen.
 */
export async function lockForComparison(
  trx: Trx,
  featidIds: readonly string[],
): Promise<Map<string, ComparisonBar>> {
  const { rows } = await sql<{ id: string; is_revoked: boolean; is_paused: boolean }>`
    select id, revoked_at is not null as is_revoked,
      coalesce(paused_until > clock_timestamp(), false) as is_paused
    from featid where id = any (${featidIds}::text[]) order by id for no key update`.execute(trx);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    featidIds.flatMap((id): [string, ComparisonBar][] => {
      const found = byId.get(id);
      if (!found || found.is_revoked) return [[id, 'featid_revoked']];
      return found.is_paused ? [[id, 'featid_paused']] : [];
    }),
  );
}

/** Counts a failure of each FeatureID; the fifth in the window begins a pause. The rows are already locked. */
export async function countFailures(trx: Trx, featidIds: readonly string[]): Promise<void> {
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
      where id = any (${featidIds}::text[])) as counting
    where id = counted_id and revoked_at is null`.execute(trx);
}

/**
 * Seconds until the challenge may compare with any of its FeatureIDs; null if it may now, or names none in force.
 */
export async function findPause(db: Database, challengeId: string): Promise<number | null> {
  const { rows } = await sql<{ wait_seconds: number | null }>`
    select ceil(extract(epoch from min(f.paused_until) - clock_timestamp()))::float8 as wait_seconds
    from compare_to_featid c join featid f on f.id = c.featid_id
    where c.challenge_id = ${challengeId} and f.revoked_at is null
    having bool_and(coalesce(f.paused_until > clock_timestamp(), false))`.execute(db);
  const wait = rows[0]?.wait_seconds;
  return wait == null ? null : Math.max(1, wait);
}

/** Ends a pause and forgets the failures that led to it. */
export async function forgetFailures(trx: Trx, featidId: string): Promise<void> {
  await trx
    .updateTable('featid')
    .set({ failed_at: [], pauses: 0, paused_until: null })
    .where('id', '=', featidId)
    .execute();
}
