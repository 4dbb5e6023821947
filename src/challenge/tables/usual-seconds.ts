// How long a check takes people here: what the page may say before it begins.
import { sql } from 'kysely';
import type { LivenessLevel } from '../../contract/liveness-level.ts';
import type { Database } from '../../storage/postgres/database.ts';

/** Number of finished challenges examined, of all levels together. */
const EXAMINED = 500;
/** Nine of ten took no longer. */
const SHARE = 0.9;
/** With fewer at a level, nothing is said about it. Chosen, not measured. */
const LEAST = 20;

/** Seconds from the camera's permission to the result, at each level of which enough is known. */
export type UsualSeconds = Readonly<Partial<Record<LivenessLevel, number>>>;

/**
 * Reads the newest challenges that were finished at the first try, for a second one begins with a word of its own, and
 * without a device.
 */
export async function readUsualSeconds(db: Database): Promise<UsualSeconds> {
  const { rows } = await sql<{ level: LivenessLevel; seconds: number }>`
    with newest as materialized (
      select id, public_request, tries_used, closed_at from challenge
      where status = 'completed' and not sandbox and public_request ->> 'device_binding' = 'off' order by id desc limit ${EXAMINED}
    ), times as (
      select n.public_request ->> 'liveness_level' as level, extract(epoch from n.closed_at - granted.at)::float8 as seconds
      from newest n cross join lateral (
        select min(e.at) as at from challenge_event e where e.challenge_id = n.id and e.name = 'camera_granted'
      ) granted
      where n.tries_used = 1 and granted.at is not null
    )
    select level, percentile_cont(${SHARE}) within group (order by seconds) as seconds
    from times group by level having count(*) >= ${LEAST}`.execute(db);
  return Object.fromEntries(rows.map(({ level, seconds }) => [level, Math.ceil(seconds)]));
}
