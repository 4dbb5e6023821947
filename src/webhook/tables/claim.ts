// Which due deliveries a process sends next. One statement: every receiver has a cap and a breaker, accounts take turns
// (docs/decisions/0013-dead-receivers.md).
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../storage/postgres/database.ts';
import type { DeliveryTable } from './schema.ts';

/**
 * Claims at most `limit` due deliveries, each under a lease of 20 s: slightly longer than the longest attempt (15 s)
 * plus the time to record it. While the lease lasts, nobody else claims the delivery; the lease of a dead process
 * expires. Receivers and accounts take turns, within the caps on their calls in all processes; a receiver that fails
 * gets one call at a time, after a pause. Two claims at once choose the same deliveries of a receiver, and each delivery
 * goes to one of them, so that together they stay within its cap.
 *
 * Measured on a busy machine: 1 ms to plan; to run, 0.4 ms if nothing is due, and 7 ms for 64 deliveries beside 200 dead
 * receivers with 50 each. To look at the plan, replace the parameter by 64.
 */
export async function claimDeliveries(db: Database, limit: number): Promise<Selectable<DeliveryTable>[]> {
  const { rows } = await sql<Selectable<DeliveryTable>>`
    with recursive lane as (
      -- The receivers with pending deliveries: one probe of the index delivery_due for each, however much waits for it.
      (select endpoint_hash, account_id from delivery where next_attempt_at is not null order by endpoint_hash limit 1)
      union all
      select next.* from lane cross join lateral (
        select endpoint_hash, account_id from delivery
        where next_attempt_at is not null and endpoint_hash > lane.endpoint_hash order by endpoint_hash limit 1
      ) next
    ), under_way as (
      -- Calls in progress. From the third on, leases double, because their processes died: those say nothing of a call.
      select endpoint_hash, count(*)::int as calls from delivery
      where lease_until > now() and leases < 3 group by endpoint_hash
    ), receiver as (
      -- Its cap: 64 calls if it answered the last time; otherwise one, which finds out whether it answers now. An open
      -- breaker lets the next call begin at probe_at, and holds back nothing for more than ten minutes.
      select lane.*, coalesce(failures, 0) as failures, coalesce(calls, 0) as calls, answers,
        case when answers then 64 else 1 end as cap,
        case when probe_at > now() then now() - interval '10 minutes' else now() end as due_until,
        coalesce(sum(calls) over (partition by lane.account_id), 0) as account_calls,
        coalesce(sum(calls) filter (where not answers) over (), 0) as unproven_calls
      from lane left join webhook_receiver using (endpoint_hash) left join under_way using (endpoint_hash)
      cross join lateral (select coalesce(failures = 0 and answered_at is not null, false) as answers) known
    ), candidate as (
      -- The oldest due deliveries of each receiver, as many as its cap allows, but at most 32.
      select due.*, receiver.*, calls + row_number() over (partition by endpoint_hash order by due_at) as call
      from receiver cross join lateral (
        select id, greatest(next_attempt_at, lease_until) as due_at from delivery
        where next_attempt_at is not null and endpoint_hash = receiver.endpoint_hash
          and greatest(next_attempt_at, lease_until) <= due_until
        order by greatest(next_attempt_at, lease_until)
        limit greatest(0, least(32, cap - calls))
      ) due
    ), turn as (
      -- Accounts take turns, and so do an account's receivers: whoever has the fewest calls comes first, then whoever
      -- failed the least, then the oldest delivery.
      select *, account_calls + row_number() over (partition by account_id order by call, failures, due_at) as turn
      from candidate
    ), allowed as (
      -- An account gets at most 384 calls, and all receivers that may not answer at most 512: a process has 768.
      select id, turn, due_at, answers or unproven_calls
          + row_number() over (partition by answers order by turn, failures, due_at) <= 512 as within_share
      from turn where turn <= 384
    ), taken as (
      select delivery.id from allowed join delivery using (id)
      where within_share and greatest(next_attempt_at, lease_until) <= now()
      order by turn, due_at limit ${limit} for update of delivery skip locked
    )
    update delivery set
      leases = leases + 1,
      -- A delivery that kills its process must not keep killing it: up to six hours.
      lease_until = now() + interval '20 seconds' * power(2, least(10, greatest(0, leases - 1)))
    from taken where delivery.id = taken.id returning delivery.*`.execute(db);
  return rows;
}
