// Counts for the console's overview and retention page. Each is one statement over one index, and null if it takes
// longer than a statement of this pool may.
import { sql } from 'kysely';
import type { ConsoleRetention } from '../../contract/console.ts';
import type { ConsoleDay, ConsoleOverview, ConsoleScope } from '../../contract/console-overview.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { readFunnel } from './funnel.ts';
import { readQueues } from './queue-figures.ts';
import { ofEach } from './scopes.ts';

/** Days shown (UTC, including today). */
export const DAYS = 30;
export const TODAY = sql`date_trunc('day', now(), 'UTC')`;
/** Number of judged challenges from which times are computed. */
const TIMES_OF = 500;

/** What is bounded, whatever the tables hold. */
export async function readFigures(
  db: Database,
  scope: ConsoleScope = 'live',
): Promise<Pick<ConsoleOverview, 'funnel' | 'judgement_ms'>> {
  const [funnel, judgement_ms] = await Promise.all([readFunnel(db, scope), readTimes(db, scope)]);
  return { funnel, judgement_ms };
}

/** What waits and what was given up, of all accounts and scopes; null if counting it takes too long. */
export async function countWaiting(db: Database): Promise<Pick<ConsoleOverview, 'queue' | 'deliveries'>> {
  const [queues, deliveries] = await Promise.all([
    unlessTooMany(readQueues(db)),
    unlessTooMany(
      sql<{ pending: number; failed_last_day: number }>`
        select (select count(*)::int from delivery where status = 'pending') as pending,
          (select count(*)::int from delivery where status = 'failed' and finished_at > now() - interval '1 day')
            as failed_last_day`.execute(db),
    ),
  ]);
  const waiting = queues?.find(({ queue }) => queue === 'judge');
  return {
    queue: { waiting: waiting?.depth ?? null, oldest_seconds: waiting?.depth ? waiting.oldestSeconds : null },
    deliveries: deliveries?.rows[0] ?? { pending: null, failed_last_day: null },
  };
}

/** From the end of an upload to the result, in the newest judged challenges. */
async function readTimes(db: Database, scope: ConsoleScope): Promise<ConsoleOverview['judgement_ms']> {
  const { rows } = await sql<ConsoleOverview['judgement_ms']>`
    with newest as materialized (
      select * from ${ofEach(
        scope,
        (isKind) => sql`
        select id, closed_at from challenge where status = 'completed' and ${isKind} order by id desc limit ${TIMES_OF}`,
      )} judged order by id desc limit ${TIMES_OF}
    ), times as (
      select 1000 * extract(epoch from n.closed_at - c.submitted_at)::float8 as ms
      from newest n join capture c on c.challenge_id = n.id and c.state = 'judged' where c.submitted_at is not null
    )
    select count(*)::int as n, percentile_cont(0.5) within group (order by ms) as median,
      percentile_cont(0.95) within group (order by ms) as p95
    from times`.execute(db);
  return rows[0]!;
}

/** Challenges by the day of their creation. Counts whole ranges of a table; null if that takes too long. */
export function countDays(db: Database, scope: ConsoleScope = 'live'): Promise<ConsoleDay[] | null> {
  const counted = sql<ConsoleDay>`
    with counted as (
      select date_trunc('day', created_at, 'UTC') as day, count(*)::int as created,
        count(*) filter (where overall_result = 'pass')::int as passed,
        count(*) filter (where overall_result = 'fail')::int as failed,
        count(*) filter (where status = 'expired')::int as expired,
        count(*) filter (where status = 'cancelled')::int as cancelled
      from ${ofEach(
        scope,
        (isKind) => sql`
        select created_at, status, overall_result from challenge
        where ${isKind} and created_at >= ${TODAY} - ${24 * (DAYS - 1)} * interval '1 hour'`,
      )} made
      group by 1
    )
    select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, coalesce(created, 0) as created,
      coalesce(passed, 0) as passed, coalesce(failed, 0) as failed, coalesce(expired, 0) as expired,
      coalesce(cancelled, 0) as cancelled
    from generate_series(0, ${DAYS - 1}::int) as ago
    cross join lateral (select ${TODAY} - 24 * ago * interval '1 hour') as shown (day)
    left join counted using (day) order by day`;
  return unlessTooMany(counted.execute(db).then(({ rows }) => rows));
}

type Held = ConsoleRetention['held'][number]['what'];
type Counted = { readonly count: number; readonly bytes: number | null };
type Oldest = { readonly at: Date };

const assets = (kind: string) => ({
  counted: sql<Counted>`
    select count(*)::float8 as count, coalesce(sum(size_bytes), 0)::float8 as bytes from asset where kind = ${kind}`,
  // By id, whose times come from the clocks of the API processes: the first entry of an index.
  oldest: sql<Oldest>`select created_at as at from asset where kind = ${kind} order by id limit 1`,
});
const featids = (time: 'created_at' | 'revoked_at', which: string) => ({
  counted: sql<Counted>`select count(*)::float8 as count, null as bytes from featid where ${sql.raw(which)}`,
  oldest: sql<Oldest>`select ${sql.ref(time)} as at from featid where ${sql.raw(which)} order by 1 limit 1`,
});

const HELD = {
  videos: assets('liveness_video'),
  best_frames: assets('best_frame'),
  results: {
    counted: sql<Counted>`
      select count(*)::float8 as count, null as bytes from challenge where overall_result is not null`,
    oldest: sql<Oldest>`select closed_at as at from challenge
      where closed_at is not null and overall_result is not null order by closed_at limit 1`,
  },
  templates: featids('created_at', 'revoked_at is null'),
  tombstones: featids('revoked_at', 'revoked_at is not null'),
  audit_lines: {
    counted: sql<Counted>`select count(*)::float8 as count, null as bytes from audit`,
    oldest: sql<Oldest>`select at from audit order by id limit 1`,
  },
} as const satisfies Record<Held, unknown>;

/** Counts whole tables; what takes too long is null. */
export async function countHeld(db: Database): Promise<ConsoleRetention['held']> {
  const held: ConsoleRetention['held'][number][] = [];
  // One after another, so that the other pages' readings keep a connection.
  for (const [what, { counted, oldest }] of Object.entries(HELD)) {
    const all = await unlessTooMany(counted.execute(db));
    const first = await unlessTooMany(oldest.execute(db));
    held.push({
      what: what as Held,
      count: all?.rows[0]?.count ?? null,
      bytes: all?.rows[0]?.bytes ?? null,
      oldest: first?.rows[0]?.at.toISOString() ?? null,
    });
  }
  return held;
}

/** SQLSTATE of a statement that its timeout cancelled. */
const QUERY_CANCELED = '57014';

/** Null if the statement takes longer than one of this pool may. */
export async function unlessTooMany<T>(counting: Promise<T>): Promise<T | null> {
  try {
    return await counting;
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return null;
    throw error;
  }
}
