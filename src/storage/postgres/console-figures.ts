// Counts for the console's overview and its page on retention, each one statement.
import { sql } from 'kysely';
import type { ConsoleStore } from '../../console/store.ts';
import type { Database } from './database.ts';
import { readQueues } from './queue-figures.ts';

const DAYS = 30;

export async function readFigures(db: Database): ReturnType<ConsoleStore['readFigures']> {
  const [days, judgement, queues, deliveries] = await Promise.all([
    readDays(db),
    sql<{ n: number; median: number | null; p95: number | null }>`
      select count(*)::int as n,
        percentile_cont(0.5) within group (order by took) as median,
        percentile_cont(0.95) within group (order by took) as p95
      from (select extract(epoch from h.closed_at - c.submitted_at) * 1000 as took
        from challenge h join capture c on c.challenge_id = h.id and c.state = 'judged'
        where h.closed_at > now() - interval '1 day' and not h.sandbox) judged`.execute(db),
    readQueues(db),
    sql<{ pending: number; failed_last_day: number }>`
      select count(*) filter (where status = 'pending')::int as pending,
        count(*) filter (where status = 'failed' and finished_at > now() - interval '1 day')::int as failed_last_day
      from delivery where status = 'pending' or finished_at > now() - interval '1 day'`.execute(db),
  ]);
  const waiting = queues.find(({ queue }) => queue === 'judge')!;
  return {
    days,
    judgement_ms: judgement.rows[0]!,
    queue: { waiting: waiting.depth, oldest_seconds: waiting.depth > 0 ? waiting.oldestSeconds : null },
    deliveries: deliveries.rows[0]!,
  };
}

async function readDays(db: Database) {
  const { rows } = await sql<{
    day: string;
    created: number;
    passed: number;
    failed: number;
    expired: number;
    cancelled: number;
    judgement_ms: number | null;
  }>`
    select to_char(day, 'YYYY-MM-DD') as day,
      count(h.id)::int as created,
      count(*) filter (where h.overall_result = 'pass')::int as passed,
      count(*) filter (where h.overall_result = 'fail')::int as failed,
      count(*) filter (where h.status = 'expired')::int as expired,
      count(*) filter (where h.status = 'cancelled')::int as cancelled,
      percentile_cont(0.5) within group (order by extract(epoch from h.closed_at - c.submitted_at) * 1000)
        as judgement_ms
    from generate_series(date_trunc('day', now()) - make_interval(days => ${DAYS - 1}),
      date_trunc('day', now()), interval '1 day') as day
    left join challenge h on h.created_at >= day and h.created_at < day + interval '1 day' and not h.sandbox
    -- A challenge has one judged capture at most.
    left join capture c on c.challenge_id = h.id and c.state = 'judged'
    group by day order by day`.execute(db);
  return rows;
}

export async function readHeld(db: Database): ReturnType<ConsoleStore['readHeld']> {
  const { rows } = await sql<{ what: string; count: string; bytes: string | null; oldest: Date | null }>`
    select 'videos' as what, count(*), coalesce(sum(size_bytes), 0) as bytes, min(created_at) as oldest
      from asset where kind = 'liveness_video'
    union all select 'best_frames', count(*), coalesce(sum(size_bytes), 0), min(created_at)
      from asset where kind = 'best_frame'
    union all select 'results', count(*), null, min(closed_at) from challenge where sealed_result is not null
    union all select 'templates', count(*), null, min(created_at) from featid where sealed_template is not null
    union all select 'tombstones', count(*), null, min(revoked_at) from featid where sealed_template is null
    union all select 'audit_lines', count(*), null, min(at) from audit`.execute(db);
  return rows.map(({ what, count, bytes, oldest }) => ({
    what: what as Awaited<ReturnType<ConsoleStore['readHeld']>>[number]['what'],
    count: Number(count),
    bytes: bytes === null ? null : Number(bytes),
    oldest: oldest?.toISOString() ?? null,
  }));
}
