// How people fare: first tries, all tries and seconds, by day, browser, liveness level, and the reason for which the first
// try was sent back. Bounded for each day, so that a busy deployment's overview costs no more than a quiet one's.
import { sql } from 'kysely';
import type { ConsoleOutcomes, ConsoleScope } from '../../contract/console-overview.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { DAYS, TODAY, unlessTooMany } from './figures.ts';
import { ofEach } from './scopes.ts';

/** Challenges of a day, and of the sandbox as many. A rate of 300 has a standard error of at most 2.9 points. */
export const OUTCOMES_OF = 300;

/**
 * Counts challenges with at least one judged recording that have ended other than by the client. The sandbox has no
 * recordings: there every settled one counts. Null if it takes longer than a statement of this pool may.
 */
export function countRecentOutcomes(db: Database, scope: ConsoleScope): Promise<ConsoleOutcomes[] | null> {
  const counted = sql<ConsoleOutcomes>`
    with ended as materialized (
      select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, ch.*
      from generate_series(0, ${DAYS - 1}::int) as ago
      cross join lateral (select ${TODAY} - 24 * ago * interval '1 hour') as shown (day)
      cross join lateral ${ofEach(
        scope,
        (isKind) => sql`
        select id, status, coalesce(overall_result = 'pass', false) as passed, initiated_at, closed_at,
          public_request ->> 'liveness_level' as asked
        from challenge
        where ${isKind} and created_at >= day and created_at < day + interval '24 hours' and status in ('completed', 'expired')
        order by created_at desc limit ${OUTCOMES_OF}`,
      )} ch
    ), fared as (
      select day, passed, first_reason as reason, coalesce(level, asked) as level, coalesce(family, 'unknown') as browser,
        coalesce(sent_back, 0) = 0 as first, extract(epoch from closed_at - initiated_at)::float8 as seconds
      from ended
      left join lateral (
        select (array_agg(level order by attempt desc))[1] as level, count(*) filter (where state = 'rejected') as sent_back,
          (array_agg(rejected_reason order by attempt))[1] as first_reason
        from capture where challenge_id = ended.id and state in ('judged', 'rejected') and not try_returned having count(*) > 0
      ) tries on true
      left join challenge_browser b on b.challenge_id = ended.id
      where status = 'completed' or sent_back > 0
    ), named as (
      select fared.*, way.by, way.name from fared cross join lateral (values
        ('all', 'all'), ('day', day), ('browser', browser), ('level', level), ('reason', reason)) as way (by, name)
      where way.by <> 'reason' or way.name is not null
    )
    select by, name, count(*)::int as people, count(*) filter (where passed and first)::int as passed_first,
      count(*) filter (where passed)::int as passed,
      percentile_cont(0.5) within group (order by seconds) filter (where passed) as median_seconds,
      percentile_cont(0.9) within group (order by seconds) filter (where passed) as p90_seconds
    from named group by by, name order by by, name`.execute(db);
  return unlessTooMany(counted.then(({ rows }) => rows));
}
