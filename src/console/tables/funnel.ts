// How far people get: the newest challenges, and the step at which they ended. Bounded, because the overview is read
// every few seconds.
import { sql } from 'kysely';
import type { AccessibleWay } from '../../contract/accessible-way.ts';
import type { ConsoleOverview, ConsoleScope } from '../../contract/console-overview.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { ofEach } from './scopes.ts';

/** Number of challenges examined. */
const FUNNEL_OF = 500;

/**
 * How many of the newest challenges reached each step, how many had a recording sent back for each reason, and how many
 * have a result in which something was left out. What is settled in the sandbox passed the steps that it leaves out.
 */
export async function readFunnel(db: Database, scope: ConsoleScope): Promise<ConsoleOverview['funnel']> {
  const newest = sql`newest as materialized (
    select * from ${ofEach(
      scope,
      (isKind) => sql`
      select id, created_at, overall_result, sandbox and overall_result is not null as settled from challenge
      where ${isKind} order by created_at desc limit ${FUNNEL_OF}`,
    )} made order by created_at desc limit ${FUNNEL_OF})`;
  const [steps, reasons, ways] = await Promise.all([
    sql<Omit<ConsoleOverview['funnel'], 'sent_back' | 'ways'>>`
      with ${newest}, seen as (
        select n.id, n.overall_result,
          settled or exists (select 1 from challenge_event e where e.challenge_id = n.id and e.name = 'challenge_opened') as opened,
          settled or exists (select 1 from challenge_event e where e.challenge_id = n.id and e.name = 'camera_granted') as camera,
          settled or exists (select 1 from capture c where c.challenge_id = n.id and c.submitted_at is not null) as recorded
        from newest n)
      select count(*)::int as created,
        count(*) filter (where opened)::int as opened,
        count(*) filter (where camera)::int as camera,
        count(*) filter (where recorded)::int as recorded,
        count(*) filter (where overall_result is not null)::int as judged,
        count(*) filter (where overall_result = 'pass')::int as passed
      from seen`.execute(db),
    sql<{ reason: string; count: number }>`
      with ${newest}
      select c.rejected_reason as reason, count(distinct n.id)::int as count
      from newest n join capture c on c.challenge_id = n.id
      where c.rejected_reason is not null
      group by 1 order by 2 desc, 1`.execute(db),
    sql<{ way: AccessibleWay; count: number }>`
      with ${newest}
      select c.script ->> 'way' as way, count(*)::int as count
      from newest n join capture c on c.challenge_id = n.id
      where c.script ? 'way' and c.state = 'judged'
      group by 1 order by 2 desc, 1`.execute(db),
  ]);
  return { ...steps.rows[0]!, sent_back: reasons.rows, ways: ways.rows };
}
