// How people fared, for the assurance report: counts by level, browser, week and mode, and nothing of one person.
import { sql } from 'kysely';
import type { Capture } from '../../challenge/challenge.ts';
import { captureOf } from '../../challenge/tables/rows.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { unlessTooMany } from './figures.ts';

/**
 * People who recorded themselves, in challenges that have ended, without the sandbox's: of one level, browser, week or
 * mode.
 */
export interface Outcomes {
  readonly by: 'all' | 'level' | 'browser' | 'week' | 'mode';
  readonly name: string;
  readonly people: number;
  /** Passed with the first recording. A recording that the service lost does not count. */
  readonly passed_first: number;
  /** Passed with any of the recordings that a challenge allows. */
  readonly passed: number;
  /** Sent back, and did not come again before the challenge expired. */
  readonly gave_up: number;
  /** From the tap on start to the result, of those who passed. */
  readonly median_seconds: number | null;
  readonly p90_seconds: number | null;
}

/** A recording that ended a challenge, or one that was sent back. */
export type Recordings = 'judged' | 'rejected';

const endedSince = (since: Date | null) => sql`not ch.sandbox and ch.status in ('completed', 'expired')
  and ch.closed_at >= coalesce(${since}, '-infinity'::timestamptz)`;

/** Each person once for each way of counting them; a recording that the service lost is none. */
const named = (since: Date | null) => sql`
  with people as (
    select ch.overall_result is not distinct from 'pass' as passed, ch.status = 'expired' as gave_up, last.*,
      case when (ch.public_request ->> 'liveness_only')::boolean then 'liveness only' else 'comparison' end as mode,
      coalesce(b.family, 'not recorded') as browser, ch.closed_at, extract(epoch from ch.closed_at - ch.initiated_at)::float8 as seconds
    from challenge ch left join challenge_browser b on b.challenge_id = ch.id cross join lateral (
      select count(*) as tries, (array_agg(c.level order by c.attempt desc))[1] as level,
        array_agg(distinct c.rejected_reason) filter (where c.rejected_reason is not null) as reasons
      from capture c where c.challenge_id = ch.id and c.state in ('judged', 'rejected') and not c.try_returned
    ) as last
    where ${endedSince(since)} and last.tries > 0
  ), named as (
    select people.*, way.by, way.name from people cross join lateral (values
      ('all', 'all'), ('level', level), ('browser', browser), ('week', to_char(closed_at at time zone 'UTC', 'IYYY-"W"IW')), ('mode', mode)
    ) as way (by, name)
  )`;

/** Null if it takes longer than a statement of this pool may. */
export function countOutcomes(db: Database, since: Date | null): Promise<Outcomes[] | null> {
  const counted = sql<Outcomes>`
    ${named(since)}
    select by, name, count(*)::int as people, count(*) filter (where passed and tries = 1)::int as passed_first,
      count(*) filter (where passed)::int as passed, count(*) filter (where gave_up)::int as gave_up,
      percentile_cont(0.5) within group (order by seconds) filter (where passed) as median_seconds,
      percentile_cont(0.9) within group (order by seconds) filter (where passed) as p90_seconds
    from named group by by, name order by by, name`.execute(db);
  return unlessTooMany(counted.then(({ rows }) => rows));
}

/** People who were sent back at least once for a reason, of the same people. */
export interface SentBack extends Pick<Outcomes, 'by' | 'name' | 'people'> {
  readonly reason: string;
  readonly count: number;
}

/** Null if it takes longer than a statement of this pool may. */
export function countSentBack(db: Database, since: Date | null): Promise<SentBack[] | null> {
  const counted = sql<SentBack>`
    ${named(since)}, counted as (select *, count(*) over (partition by by, name) as people from named)
    select by, name, reason, max(people)::int as people, count(*)::int as count
    from counted cross join lateral unnest(reasons) as reason
    group by by, name, reason order by by, name, count desc, reason`.execute(db);
  return unlessTooMany(counted.then(({ rows }) => rows));
}

/** The newest recordings of a kind whose judgement is kept. @throws if it takes longer than a statement may */
export async function listTried(
  db: Database,
  kind: Recordings,
  since: Date | null,
  limit: number,
): Promise<Capture[]> {
  const rows = await db
    .selectFrom('capture as c')
    .innerJoin('challenge as ch', 'ch.id', 'c.challenge_id')
    .selectAll('c')
    .where('c.state', '=', kind)
    .where('c.sealed_try', 'is not', null)
    .where(sql<boolean>`${endedSince(since)}`)
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(captureOf);
}
