// Counts for the console's overview and retention page, read from figures that writes maintain (figures.ts).
import { sql } from 'kysely';
import type { ConsoleStore } from '../../../console/store.ts';
import type { ConsoleOverview, ConsoleRetention } from '../../../contract/console.ts';
import type { Database } from '../database.ts';
import { type DurationCount, durationQuantileMs } from '../figures.ts';
import { readQueues } from '../queue-figures.ts';
import { readFunnel } from './funnel.ts';

/** Days shown (UTC, including today). */
const DAYS = 30;
const DAY_MS = 86_400_000;

export async function readFigures(db: Database): ReturnType<ConsoleStore['readFigures']> {
  const [days, funnel, judgement, queues, deliveries] = await Promise.all([
    readDays(db),
    readFunnel(db),
    readLastDay(db),
    readQueues(db),
    sql<{ pending: number; failed_last_day: number }>`
      select (select count(*)::int from delivery where status = 'pending') as pending,
        (select count(*)::int from delivery where status = 'failed' and finished_at > now() - interval '1 day')
          as failed_last_day`.execute(db),
  ]);
  const waiting = queues.find(({ queue }) => queue === 'judge')!;
  return {
    days,
    funnel,
    judgement_ms: judgement,
    queue: { waiting: waiting.depth, oldest_seconds: waiting.depth > 0 ? waiting.oldestSeconds : null },
    deliveries: deliveries.rows[0]!,
  };
}

/** Judgements of this hour and the 23 before it. */
async function readLastDay(db: Database): Promise<ConsoleOverview['judgement_ms']> {
  const { rows } = await sql<DurationCount>`
    select bucket, sum(n)::int as n from figures
    where kind = 'judgement' and at > date_trunc('hour', now(), 'UTC') - interval '1 day' group by bucket`.execute(
    db,
  );
  return {
    n: rows.reduce((sum, { n }) => sum + n, 0),
    median: durationQuantileMs(rows, 0.5),
    p95: durationQuantileMs(rows, 0.95),
  };
}

/** Challenges by the day of their creation, judgements by the day on which they were made. */
async function readDays(db: Database): Promise<ConsoleOverview['days']> {
  const since = sql`day_of(now()) - ${DAYS - 1} * interval '1 day'`;
  const [outcomes, judged] = await Promise.all([
    sql<{ today: Date; day: Date | null; name: string; n: number }>`
      select day_of(now()) as today, counted.* from (select) as always left join (
        select at as day, name, sum(n)::int as n from figures
        where kind = 'challenge' and at >= ${since} group by at, name) counted on true`.execute(db),
    sql<DurationCount & { day: Date }>`
      select day_of(at) as day, bucket, sum(n)::int as n from figures
      where kind = 'judgement' and at >= ${since} group by 1, 2`.execute(db),
  ]);
  const today = outcomes.rows[0]!.today.getTime();
  return Array.from({ length: DAYS }, (_, index) => {
    const at = today - (DAYS - 1 - index) * DAY_MS;
    const isOfDay = ({ day }: { day: Date | null }) => day?.getTime() === at;
    const ofDay = outcomes.rows.filter(isOfDay);
    const count = (name: string) => ofDay.find((row) => row.name === name)?.n ?? 0;
    return {
      day: new Date(at).toISOString().slice(0, 10),
      created: ofDay.reduce((sum, { n }) => sum + n, 0),
      passed: count('passed'),
      failed: count('failed'),
      expired: count('expired'),
      cancelled: count('cancelled'),
      judgement_ms: durationQuantileMs(judged.rows.filter(isOfDay), 0.5),
    };
  });
}

type Held = ConsoleRetention['held'][number]['what'];

/**
 * The oldest of each is the first entry of an index. Assets are ordered by id, whose times come from the clocks of the
 * API processes.
 */
const OLDEST: Record<Held, ReturnType<typeof sql>> = {
  videos: sql`select created_at from asset where kind = 'liveness_video' order by id limit 1`,
  best_frames: sql`select created_at from asset where kind = 'best_frame' order by id limit 1`,
  results: sql`select closed_at from challenge where closed_at is not null and sealed_result is not null
    order by closed_at limit 1`,
  templates: sql`select created_at from featid where revoked_at is null order by created_at limit 1`,
  tombstones: sql`select revoked_at from featid where revoked_at is not null order by revoked_at limit 1`,
  audit_lines: sql`select at from audit order by id limit 1`,
};
/** Figures whose name differs from the console's. */
const COUNTED_AS: Partial<Record<Held, string>> = { videos: 'liveness_videos' };
const HAS_BYTES: readonly Held[] = ['videos', 'best_frames'];

export async function readHeld(db: Database): ReturnType<ConsoleStore['readHeld']> {
  const all = Object.keys(OLDEST) as Held[];
  const oldest = sql.join(
    all.map((what) => sql`select ${what}::text as what, (${OLDEST[what]}) as oldest`),
    sql` union all `,
  );
  const [counted, firsts] = await Promise.all([
    sql<{ name: string; count: number; bytes: number }>`
      select name, sum(n)::float8 as count, sum(bytes)::float8 as bytes from figures where kind = 'held' group by name`.execute(
      db,
    ),
    sql<{ what: Held; oldest: Date | null }>`${oldest}`.execute(db),
  ]);
  return firsts.rows.map(({ what, oldest: first }) => {
    const figure = counted.rows.find(({ name }) => name === (COUNTED_AS[what] ?? what));
    const bytes = HAS_BYTES.includes(what) ? (figure?.bytes ?? 0) : null;
    return { what, count: figure?.count ?? 0, bytes, oldest: first?.toISOString() ?? null };
  });
}
