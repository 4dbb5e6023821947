// Which due deliveries a process takes next: receivers in turn, none beyond its share, each delivery under a lease.
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ClaimRequest } from '../../webhook/ports.ts';
import type { DeliveryTable, Schema } from './schema.ts';

/** A little above the longest attempt (15 s, contract §8) and the writing of it. */
const LEASE = sql`interval '20 seconds'`;
/**
 * A lease that ran out without a record is a crash or a fault of our own: from the third on leases double, to hours, so
 * that one delivery that ends its process cannot keep ending it.
 */
const LEASE_GROWTH = sql`power(2, least(10, greatest(0, delivery.leases - 1)))`;
/** Receivers looked at in one claim: one probe of an index each. The next claim goes on behind them. */
const MAX_LANES = 100;

/** When a pending delivery is due: the index delivery_due is on this very expression. */
const DUE_AT = sql`greatest(next_attempt_at, lease_until)`;

interface ClaimedRow extends Selectable<DeliveryTable> {
  /** The last receiver looked at, where there may be more; else null. */
  readonly last_lane: Buffer | null;
}

/**
 * One statement. `lane` walks over the receivers that have pending deliveries, by skipping through the index; a receiver
 * may have as many calls under way, in all processes, as this process has places free ("dynamic threshold", Choudhury
 * and Hahne 1998): one alone gets half of the places, n slow ones leave about 1/(n+1) of them to the others. Candidates
 * are read without a lock and taken in turn; what another process takes meanwhile is skipped.
 */
export async function claimDeliveries(
  db: Kysely<Schema>,
  { free, freeForRetries, after }: ClaimRequest,
): Promise<{ rows: Selectable<DeliveryTable>[]; after: Buffer | null }> {
  const places = Math.ceil(free / 2);
  const { rows } = await sql<ClaimedRow>`
    with recursive lane(hash, turn) as (
      (
        select endpoint_hash, 1 from delivery
        where status = 'pending' and endpoint_hash > ${after ?? Buffer.alloc(0)}
        order by endpoint_hash limit 1
      )
      union all
      select next.endpoint_hash, lane.turn + 1
      from lane cross join lateral (
        select endpoint_hash from delivery
        where status = 'pending' and endpoint_hash > lane.hash
        order by endpoint_hash limit 1
      ) next
      where lane.turn < ${MAX_LANES}
    ), candidate as (
      select due.id, due.is_retry, due.place, lane.turn
      from lane
      cross join lateral (
        select count(*)::int as calls from delivery
        where endpoint_hash = lane.hash and lease_until > clock_timestamp()
      ) under_way
      cross join lateral (
        select id, is_retry, row_number() over (order by due_at) as place
        from (
          select id, schedule_step > 0 as is_retry, ${DUE_AT} as due_at from delivery
          where status = 'pending' and endpoint_hash = lane.hash and ${DUE_AT} <= clock_timestamp()
          order by ${DUE_AT} limit greatest(0, least(${free} - under_way.calls, ${places}))
        ) oldest
      ) due
    ), counted as (
      select *, count(*) filter (where is_retry) over (order by place, turn rows unbounded preceding) as retries
      from candidate
    ), chosen as (
      select id from counted
      where not is_retry or retries <= ${freeForRetries}
      order by place, turn limit ${places}
    ), locked as (
      select delivery.id from delivery
      where id in (select id from chosen) and status = 'pending' and ${DUE_AT} <= clock_timestamp()
      for update skip locked
    ), claimed as (
      update delivery set leases = leases + 1, lease_until = clock_timestamp() + ${LEASE} * ${LEASE_GROWTH}
      from locked where delivery.id = locked.id
      returning delivery.*
    )
    select claimed.*, looked.last_lane
    from (select max(hash) filter (where turn = ${MAX_LANES}) as last_lane from lane) looked
    left join claimed on true
  `.execute(db);
  return { rows: rows.filter((row) => row.id !== null), after: rows[0]?.last_lane ?? null };
}
