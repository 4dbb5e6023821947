// Figures that writes maintain: sums of changes that triggers append.
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Number of durations in one bucket. Each bucket is an eighth of an octave wide, as in `duration_bucket`. */
export interface DurationCount {
  readonly bucket: number;
  readonly n: number;
}

const BUCKETS_PER_OCTAVE = 8;

/**
 * A quantile of durations in ms, such as 0.5 for the median; null if there are none. Returns the middle of a bucket,
 * which is within 4.5 % of the true value.
 */
export function durationQuantileMs(counts: readonly DurationCount[], quantile: number): number | null {
  const sorted = [...counts].sort((a, b) => a.bucket - b.bucket);
  const total = sorted.reduce((sum, { n }) => sum + n, 0);
  let upTo = 0;
  for (const { bucket, n } of sorted) {
    upTo += n;
    if (n > 0 && upTo >= total * quantile) return 2 ** (bucket / BUCKETS_PER_OCTAVE);
  }
  return null;
}

/**
 * Folds up to `limit` changes into the sums; resolves with their number. A reader sees the state before or after as a
 * whole. Run by one process at a time, because two would wait for each other's sums.
 */
export async function foldFigures(db: Database, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with taken as (
      delete from figure_change where id in (select id from figure_change order by id limit ${limit}) returning *
    ), folded as (
      insert into figure
      select kind, at, name, account_id, endpoint_hash, bucket, sum(n), sum(bytes), max(latest)
      from taken group by kind, at, name, account_id, endpoint_hash, bucket
      on conflict (kind, at, name, account_id, endpoint_hash, bucket) do update set
        n = figure.n + excluded.n, bytes = figure.bytes + excluded.bytes,
        latest = greatest(figure.latest, excluded.latest)
    )
    select count(*)::int as folded from taken`.execute(db);
  return rows[0]!.folded;
}

/** Kinds that are counted by day or hour, and deleted when no longer shown. */
const DATED_KINDS = ['challenge', 'judgement', 'delivery', 'attempt'];

/**
 * Deletes up to `limit` figures of each kind that are older than anything shown; resolves with the largest number
 * deleted of one kind. One kind at a time, so that each is the beginning of a range of the primary key. Sums that
 * reached zero are deleted with their day.
 */
export async function trimFigures(db: Database, limit: number): Promise<number> {
  let most = 0;
  for (const kind of DATED_KINDS) {
    // By row location (ctid), because the key has six columns.
    const deleted = await sql`
      delete from figure where ctid = any (array(
        select ctid from figure where kind = ${kind} and at < now() - figure_window(${kind}) order by at limit ${limit}))`.execute(
      db,
    );
    most = Math.max(most, Number(deleted.numAffectedRows ?? 0));
  }
  return most;
}
