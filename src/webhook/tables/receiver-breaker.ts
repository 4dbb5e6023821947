// The circuit breaker of each receiver (docs/decisions/0013-dead-receivers.md): what attempts write to
// webhook_receiver. claim.ts shows how it affects which deliveries are claimed.
import { sql } from 'kysely';

/**
 * Consecutive failures that open the breaker of a receiver that has answered before; for one that never has, the first
 * failure opens it. Chosen, not measured.
 */
const FAILURES_TO_OPEN = 3;
/** Shortest pause before the next probe: as long as the retry schedule's first step. */
const SHORTEST_PAUSE_SECONDS = 5;
/**
 * Seconds of pause for each second that the failed attempt took, so that a receiver that hangs occupies a place for a
 * fifth of the time at most.
 */
const PAUSE_PER_SECOND = 4;
/** A receiver's last answer is written at this interval, not with every attempt. */
const ANSWER_NOTED_EVERY = sql.lit('1 hour');

/** Up to a fifth longer, so that receivers that failed together are not probed together. */
const PAUSE_END = sql`clock_timestamp() + interval '1 millisecond' * (1 + random() / 5)
  * greatest(${sql.lit(SHORTEST_PAUSE_SECONDS * 1_000)}, ${sql.lit(PAUSE_PER_SECOND)} * duration_ms)`;

/**
 * The common table expressions that update receivers after finished attempts: one row per receiver, written only if it
 * changes.
 * @param attempts name of an expression with the columns account_id, endpoint_hash, answered, duration_ms. It must hold
 *   the locks of the deliveries' rows, so that receivers are always locked after deliveries, in one order.
 */
export const receiverChanges = (attempts: string) => sql`
  receiver_attempts as (
    select endpoint_hash, min(account_id) as account_id, bool_or(answered) as answered, max(duration_ms) as duration_ms,
      count(*)::int as attempts
    from ${sql.table(attempts)} group by endpoint_hash
  ), receiver_changed as (
    insert into webhook_receiver (endpoint_hash, account_id, answered_at, failures, probe_at)
    select endpoint_hash, new.account_id, case when answered then now() end, case when answered then 0 else attempts end,
      case when not answered then ${PAUSE_END} end
    from receiver_attempts new left join webhook_receiver old using (endpoint_hash)
    where (answered and old.failures = 0 and old.probe_at is null
      and old.answered_at > now() - interval ${ANSWER_NOTED_EVERY}) is not true
    order by endpoint_hash
    on conflict (endpoint_hash) do update set
      changed_at = now(),
      answered_at = coalesce(excluded.answered_at, webhook_receiver.answered_at),
      failures = case when excluded.failures = 0 then 0 else webhook_receiver.failures + excluded.failures end,
      probe_at = case
        when webhook_receiver.probe_at is not null or webhook_receiver.answered_at is null
          or webhook_receiver.failures + excluded.failures >= ${sql.lit(FAILURES_TO_OPEN)}
        then excluded.probe_at end
  )`;
