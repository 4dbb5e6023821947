// Which due deliveries a process takes next: receivers take turns, none gets more than its share, and each delivery is
// held under a lease. Receivers whose circuit breaker is open have a claim statement of their own
// (receiver-breaker.ts).
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ClaimRequest, FailingClaimRequest, ReceiverStanding } from '../../../webhook/ports.ts';
import type { Database } from '../database.ts';
import type { DeliveryTable } from '../schema/schema.ts';
import { MAX_HOLD } from './receiver-breaker.ts';

/** Slightly longer than the longest attempt (15 s) plus the time to record it. */
const LEASE = sql`interval '20 seconds'`;
/**
 * A lease that expired without a record means a crash or a fault of our own. From the third on, leases double, up to
 * hours, so that a delivery that crashes its process cannot keep crashing it.
 */
const leaseGrowth = (leases: RawBuilder<unknown>) => sql`power(2, least(10, greatest(0, ${leases} - 2)))`;
/** Whether a call may still be in progress; not if a longer lease has outlived every attempt. */
const IS_IN_PROGRESS = sql`lease_until > clock_timestamp()
  and lease_until - ${LEASE} * ${leaseGrowth(sql`leases`)} > clock_timestamp() - ${LEASE}`;
/** Receivers examined per claim, each with one index probe. The next claim continues after them. */
const MAX_LANES = 100;
/** Most calls to one receiver in progress in all processes, however many places are free. Chosen, not measured. */
const MAX_CALLS = 64;
/** Most deliveries per claim: they are read together, so the first waits for the last. */
const MAX_CLAIMED = 64;

/** When a pending delivery is due. The index delivery_due is on exactly this expression. */
const DUE_AT = sql`greatest(next_attempt_at, lease_until)`;

/** Listed by name, so that the statement stays planned when a migration adds a column. */
const COLUMNS: readonly (keyof DeliveryTable)[] = [
  ...(['id', 'account_id', 'challenge_id', 'event', 'endpoint_index', 'sealed_endpoint'] as const),
  ...(['endpoint_hash', 'status', 'attempts', 'schedule_step', 'next_attempt_at', 'lease_until'] as const),
  ...(['leases', 'created_at', 'finished_at'] as const),
];

/**
 * The claim's commit does not wait for the disk. A server crash may lose it; the delivery is then claimed again, as
 * after any other crash before its attempt was recorded.
 */
const COMMIT_ASYNCHRONOUSLY = sql`set_config('synchronous_commit', 'off', true)`;

export interface ClaimedRow extends Selectable<DeliveryTable> {
  readonly standing: ReceiverStanding;
  readonly has_more: boolean;
}

/** See Claim. */
export interface ClaimedRows {
  readonly rows: ClaimedRow[];
  readonly unserved: readonly Buffer[];
  readonly after: Buffer | null;
}

/**
 * Claims from receivers whose breaker is closed, in one statement. `walk` iterates over the receivers that have pending
 * deliveries, by skipping through the index. A receiver that answers may have as many calls in progress, in all
 * processes, as this process has places left for its account ("dynamic threshold", Choudhury and Hahne 1998): however
 * many receivers are slow, they leave places to the others. A receiver that has never answered, or failed the last
 * time, may have one call at a time.
 */
export function claimDeliveries(db: Database, request: ClaimRequest): Promise<ClaimedRows> {
  const { free, freeForUnproven, noticed, walks, after } = request;
  const pendingAfter = (hash: RawBuilder<unknown>) => sql`
    select endpoint_hash from delivery where status = 'pending' and endpoint_hash > ${hash}
    order by endpoint_hash limit 1`;
  return claim(db, request, {
    lanes: sql`
    walk(hash, turn) as (
      select endpoint_hash, 1 from (${pendingAfter(sql`${after ?? Buffer.alloc(0)}::bytea`)}) first where ${walks}::boolean
      union all
      select next.endpoint_hash, walk.turn + 1
      from walk cross join lateral (${pendingAfter(sql`walk.hash`)}) next
      where walk.turn < ${sql.lit(MAX_LANES)}
    ), lane as (
      select hash, min(turn) as turn
      from (select hash, turn from walk union all select unnest(${noticed}::bytea[]), 0) every group by hash
    ), looked_at as (
      select lane.*, calls, false as is_probe, ${DUE_AT_ONCE} as due_until,
        case when failures = 0 and answered_at is not null then 'answering' else 'unproven' end as standing,
        case when failures = 0 and answered_at is not null then ${maxCalls(free)} else 1 end as most_calls
      from lane left join webhook_receiver on endpoint_hash = hash left join busy using (account_id)
      cross join lateral (${CALLS}) under_way
      where probe_at is null
    )`,
    // The same threshold applies among unproven receivers. Those found by the walk may have been dead for a long time
    // and get half of it, so that those noticed just now are admitted before them.
    allowed: (nth) => sql`case standing when 'answering' then calls + place <= left_to_account
      else (nth_of_account + account_unproven) * (case when turn = 0 then 1 else 2 end)
        <= ${freeForUnproven}::int - ${nth} end`,
    probing: sql`select null::bytea as endpoint_hash where false`,
  });
}

/**
 * Claims from receivers whose breaker is open: one probe at a time, after the pause and if nothing else is in progress,
 * and whatever was held back for too long, within the share of all failing receivers.
 */
export function claimFromFailing(db: Database, request: FailingClaimRequest): Promise<ClaimedRows> {
  const { free, after } = request;
  return claim(db, request, {
    lanes: sql`
    walk as (
      select endpoint_hash as hash, account_id, probe_at, (row_number() over (order by endpoint_hash))::int as turn
      from webhook_receiver where probe_at is not null and endpoint_hash > ${after ?? Buffer.alloc(0)}::bytea
      order by endpoint_hash limit ${sql.lit(MAX_LANES)}
    ), looked_at as (
      select hash, turn, calls, is_probe, 'failing' as standing,
        case when is_probe then ${DUE_AT_ONCE} else ${DUE_AT_ONCE} - ${MAX_HOLD} end as due_until,
        case when is_probe then 1 else ${maxCalls(free)} end as most_calls
      from walk left join busy using (account_id) cross join lateral (${CALLS}) under_way
      cross join lateral (select probe_at <= clock_timestamp() and calls = 0 as is_probe) rested
    )`,
    allowed: () => sql`is_probe or calls + place <= left_to_account`,
    // Only one process takes the probe; a second one finds its time moved on.
    probing: sql`
      update webhook_receiver set probe_at = clock_timestamp() + ${LEASE} where endpoint_hash in (
        select endpoint_hash from webhook_receiver
        where endpoint_hash in (select hash from chosen where is_probe) and probe_at <= clock_timestamp()
        for update skip locked
      ) returning endpoint_hash`,
  });
}

const DUE_AT_ONCE = sql`clock_timestamp()`;
const CALLS = sql`select count(*)::int as calls from delivery where endpoint_hash = hash and ${IS_IN_PROGRESS}`;
/** As many as its account has left, so that one receiver leaves places to the others of its account. */
const maxCalls = (free: number) =>
  sql`least(${free}::int - coalesce(account_calls, 0), ${sql.lit(MAX_CALLS)})`;

interface ClaimStatement {
  /**
   * Common table expressions `walk` (hash, turn) and `looked_at` (hash, turn, calls, is_probe, standing, due_until,
   * most_calls).
   */
  readonly lanes: RawBuilder<unknown>;
  /**
   * Which candidates may be chosen: in the order in which they are taken, a candidate is the `place`th of its receiver,
   * the `nth` of its standing, and the `nth_of_account` of both its standing and its account.
   */
  readonly allowed: (nth: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Returns the receivers of those chosen probes that this process may make. */
  readonly probing: RawBuilder<unknown>;
}

/**
 * Runs a claim. Candidates are read without a lock and taken in turn: the first of each receiver, then the second of
 * each. What another process takes meanwhile is skipped. An account may have as many calls in progress as there are
 * places free, so an account alone gets half of the places, however many receivers it names; hence the very last place
 * stays free.
 */
async function claim(
  db: Database,
  { free, busy, after }: FailingClaimRequest,
  { lanes, allowed, probing }: ClaimStatement,
): Promise<ClaimedRows> {
  const places = Math.min(MAX_CLAIMED, Math.ceil(free / 2));
  const column = <T>(read: (each: (typeof busy)[number]) => T) => sql`${busy.map(read)}`;
  const { rows } = await sql<ClaimedRow & Pick<ClaimedRows, 'after' | 'unserved'>>`
    with recursive busy as (
      select * from unnest(
        ${column((each) => each.accountId)}::text[],
        ${column((each) => each.calls)}::int[],
        ${column((each) => each.unproven)}::int[]
      ) as busy(account_id, account_calls, account_unproven)
    ), ${lanes}, ${candidates(places, after !== null)}, ranked as (
      select candidate.*, coalesce(account_calls, 0) as account_calls,
        coalesce(account_unproven, 0) as account_unproven,
        row_number() over (partition by standing, account_id order by place, turn) as nth_of_account
      from candidate left join busy using (account_id)
    ), ${admitted('admitted', sql`ranked`, sql`nth_of_account`, free, allowed)}, queued as (
      select *, row_number() over (partition by standing order by place, turn) as nth from admitted
    ), ${admitted('allowed', sql`queued`, sql`nth`, free, allowed)}, chosen as (
      select * from allowed order by place, turn limit ${places}::int
    ), passed_over as (
      select * from candidate where id not in (select id from chosen)
    ), probing as (
      ${probing}
    ), ${TAKEN}, ${nextTurn(after)}
    select claimed.*, chosen.standing, next.after, next.unserved,
      chosen.is_cut or hash in (select hash from passed_over) as has_more
    from next cross join ${COMMIT_ASYNCHRONOUSLY} left join (claimed join chosen using (id)) on true
  `.execute(db);
  const { after: next, unserved } = rows[0]!;
  return { rows: rows.filter((row) => row.id !== null), unserved, after: next };
}

/**
 * The rows of `of` for which there is room once they and all before them, the `nth` of each, are taken. Applied first
 * as if each account were alone, then to what remains: an account that has had its share takes nobody's turn.
 */
const admitted = (
  name: string,
  of: RawBuilder<unknown>,
  nth: RawBuilder<unknown>,
  free: number,
  allowed: ClaimStatement['allowed'],
) => sql`
  ${sql.table(name)} as (
    select given.* from ${of} given
    cross join lateral (select ${free}::int - account_calls - nth_of_account - ${nth} as left_to_account) of_account
    where left_to_account >= 0 and (${allowed(nth)})
  )`;

/** `candidate`: the oldest due deliveries of each receiver, no more of each than may be taken of all. */
const candidates = (places: number, isContinued: boolean) => sql`
  due_lane as materialized (
    select *, count(*) filter (where room > 1) over () as roomy
    from looked_at
    -- A walk that continues after earlier lanes takes one delivery per lane: otherwise its last lanes would take places
    -- that the earlier lanes have not been offered.
    cross join lateral (select case when turn > 0 and ${isContinued} then least(1, most_calls - calls)
      else most_calls - calls end as room) room
    where room > 0 and exists (
      select from delivery where status = 'pending' and endpoint_hash = hash and ${DUE_AT} <= due_until)
  ), candidate as (
    select due.*, turn, hash, calls, is_probe, standing, count(*) over (partition by hash) >= most as is_cut
    from due_lane
    cross join lateral (select least(room, ceil(${places}::float / greatest(1, roomy))) as most) most
    cross join lateral (
      select id, account_id, row_number() over (order by due_at) as place from (
        select id, account_id, ${DUE_AT} as due_at from delivery
        where status = 'pending' and endpoint_hash = hash and ${DUE_AT} <= due_until
        order by ${DUE_AT} limit most
      ) oldest
    ) due
  )`;

/** `claimed`: the deliveries of `chosen` that nobody else took meanwhile, each under a lease. */
const TAKEN = sql`
  locked as (
    select id from delivery
    where id in (select id from chosen where not is_probe or hash in (select endpoint_hash from probing))
      and status = 'pending' and ${DUE_AT} <= clock_timestamp()
    for update skip locked
  ), claimed as (
    update delivery set leases = leases + 1,
      lease_until = clock_timestamp() + ${LEASE} * ${leaseGrowth(sql`(leases + 1)`)}
    from locked where delivery.id = locked.id
    returning ${sql.raw(COLUMNS.map((name) => `delivery.${name}`).join(', '))}
  )`;

/**
 * Where the next claim begins: with the first receiver that went without, because places ran out or others of its
 * account had its share. Receivers of an account that got nothing this time are skipped, because they would hold up the
 * others.
 */
const nextTurn = (after: Buffer | null) => sql`
  next as (
    select case
      when unserved.turn is not null then coalesce(
        (select hash from walk where walk.turn = unserved.turn - 1), ${after ?? Buffer.alloc(0)}::bytea)
      else (select hash from walk where walk.turn = ${sql.lit(MAX_LANES)}) end as after,
      array(select distinct hash from passed_over where turn = 0) as unserved
    from (
      select min(turn) as turn from passed_over
      where place = 1 and turn > 0 and (id in (select id from allowed)
        or (account_id, standing) in (select account_id, standing from chosen where turn > 0))
    ) unserved
  )`;
