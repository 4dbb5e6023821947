// Outcomes of judged challenges for the assurance report: counts by level and week, and nothing of one person.
import { sql } from 'kysely';
import type { Database } from '../../storage/postgres/database.ts';
import { unlessTooMany } from './figures.ts';

/** Judged challenges of one level or week, or all; without the sandbox's. */
export interface Outcomes {
  readonly by: 'all' | 'level' | 'week';
  readonly name: string;
  readonly judged: number;
  readonly passed: number;
  /** Passed with the first recording. */
  readonly passed_first: number;
  /** From the opening of the link to the result. */
  readonly median_seconds: number | null;
}

/** Null if it takes longer than a statement of this pool may. */
export function countOutcomes(db: Database, since: Date | null): Promise<Outcomes[] | null> {
  const counted = sql<Outcomes>`
    with judged as (
      select ch.id, ch.overall_result = 'pass' as passed, ch.initiated_at, ch.closed_at, c.level,
        not exists (select 1 from capture r where r.challenge_id = ch.id and r.state = 'rejected') as first
      from challenge ch join capture c on c.challenge_id = ch.id and c.state = 'judged'
      where ch.status = 'completed' and not ch.sandbox and ch.closed_at >= coalesce(${since}, '-infinity'::timestamptz)
    ), named as (
      select judged.*, way.by, way.name from judged cross join lateral (values
        ('all', 'all'), ('level', level::text), ('week', to_char(closed_at at time zone 'UTC', 'IYYY-"W"IW'))
      ) as way (by, name)
    )
    select by, name, count(*)::int as judged, count(*) filter (where passed)::int as passed,
      count(*) filter (where passed and first)::int as passed_first,
      percentile_cont(0.5) within group (order by extract(epoch from closed_at - initiated_at)::float8) as median_seconds
    from named group by by, name order by by, name`.execute(db);
  return unlessTooMany(counted.then(({ rows }) => rows));
}

/** Why recordings were sent back; null if it takes longer than a statement of this pool may. */
export function countSentBack(
  db: Database,
  since: Date | null,
): Promise<{ reason: string; count: number }[] | null> {
  const counted = sql<{ reason: string; count: number }>`
    select c.rejected_reason as reason, count(*)::int as count
    from challenge ch join capture c on c.challenge_id = ch.id
    where not ch.sandbox and c.rejected_reason is not null
      and c.issued_at >= coalesce(${since}, '-infinity'::timestamptz)
    group by 1 order by 2 desc, 1`.execute(db);
  return unlessTooMany(counted.then(({ rows }) => rows));
}
