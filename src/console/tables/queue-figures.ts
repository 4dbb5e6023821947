// What is waiting, and for how long: captures for judgement, due deliveries, and deleted keys whose bytes are on the disk.
import { sql } from 'kysely';
import type { Database } from '../../storage/postgres/database.ts';

export interface QueueFigures {
  readonly queue: 'judge' | 'deliver' | 'erase';
  readonly depth: number;
  /** 0 if nothing waits. */
  readonly oldestSeconds: number;
}

export async function readQueues(db: Database): Promise<QueueFigures[]> {
  const { rows } = await sql<{ queue: QueueFigures['queue']; depth: number; oldest: number }>`
    select 'judge' as queue, count(*)::int as depth,
      coalesce(extract(epoch from now() - min(submitted_at)), 0)::float8 as oldest
      from capture where state = 'submitted'
    union all
    select 'deliver', count(*)::int, coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8
      from delivery left join webhook_receiver using (endpoint_hash)
      where status = 'pending' and next_attempt_at <= now()
        -- What an open breaker holds back does not wait for this service, unless nobody probes the receiver.
        and (probe_at is null or probe_at < now() - interval '2 minutes')
    union all
    select 'erase', count(*)::int, coalesce(extract(epoch from now() - min(due_at)), 0)::float8
      from key_erasure where due_at <= now()`.execute(db);
  return rows.map(({ queue, depth, oldest }) => ({ queue, depth, oldestSeconds: oldest }));
}
