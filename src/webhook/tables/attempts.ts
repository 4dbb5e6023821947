// What a finished attempt writes: the attempt itself, the next step of its delivery, and the state of its receiver.
import { sql } from 'kysely';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { AttemptRecord, FinishedAttempt, NewDelivery } from '../ports.ts';
import { NOTIFY_WORKERS } from './notifier.ts';
import { receiverChanges } from './receiver-breaker.ts';

/**
 * Records finished attempts in one statement, hence one transaction and one round trip. `locked` locks the rows first,
 * in one order, so that no two writers deadlock. If two attempts end at the same time, the second sees what the first
 * wrote, and only the attempt at the row's own step advances the schedule. The lease ends with the attempt.
 */
export async function recordAttempts(db: Database, finished: readonly FinishedAttempt[]): Promise<void> {
  if (finished.length === 0) return;
  const column = <T>(read: (each: FinishedAttempt) => T) => sql`${finished.map(read)}`;
  await sql`
    with given as (
      select * from unnest(
        ${column((each) => each.deliveryId)}::text[],
        ${column((each) => each.step)}::integer[],
        ${column((each) => each.next.status)}::text[],
        ${column((each) => (each.next.status === 'pending' ? each.next.delayMs : null))}::double precision[],
        ${column((each) => each.attempt.at)}::timestamptz[],
        ${column((each) => each.attempt.durationMs)}::integer[],
        ${column((each) => each.attempt.responseStatus)}::smallint[],
        ${column((each) => each.attempt.outcome)}::text[],
        ${column((each) => each.attempt.sealedExcerpt)}::bytea[],
        ${column((each) => each.answered)}::boolean[]
      ) as given(delivery_id, step, next_status, delay_ms, at, duration_ms, response_status, outcome, sealed_excerpt,
        answered)
    ), locked as materialized (
      select given.*, delivery.account_id, delivery.endpoint_hash, delivery.status, delivery.next_attempt_at,
        delivery.status = 'pending' and delivery.schedule_step = given.step as current
      from delivery join given on given.delivery_id = delivery.id
      order by delivery.id for update of delivery
    ), recorded as (
      insert into delivery_attempt (delivery_id, at, duration_ms, response_status, outcome, sealed_excerpt)
      select delivery_id, at, duration_ms, response_status, outcome, sealed_excerpt from locked
    ), ${receiverChanges('locked')}
    update delivery set
      attempts = delivery.attempts + 1,
      schedule_step = delivery.schedule_step + locked.current::int,
      leases = 0,
      lease_until = case when locked.current or locked.next_status = 'delivered' then null else delivery.lease_until end,
      status = case
        when locked.status = 'cancelled' then locked.status
        when locked.next_status = 'delivered' then 'delivered'
        when locked.current then locked.next_status
        else locked.status end,
      next_attempt_at = case
        when locked.next_status = 'delivered' then null
        when locked.current then now() + locked.delay_ms * interval '1 millisecond'
        else locked.next_attempt_at end,
      finished_at = case
        when locked.next_status = 'delivered' then coalesce(delivery.finished_at, now())
        when locked.current and locked.next_status = 'failed' then now()
        else delivery.finished_at end
    from locked where delivery.id = locked.delivery_id
  `.execute(db);
}

/** See DeliveryStore.insertFinished. */
export function insertFinished(
  db: Database,
  delivery: NewDelivery,
  attempt: AttemptRecord,
  answered: boolean,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const status = attempt.outcome === 'delivered' ? ('delivered' as const) : ('failed' as const);
    const finished = { status, attempts: 1, schedule_step: 1, finished_at: sql<Date>`now()` };
    await trx
      .insertInto('delivery')
      .values({ ...columnsOf(delivery), ...finished })
      .execute();
    await trx.insertInto('delivery_attempt').values(attemptColumns(delivery.id, attempt)).execute();
    if (answered) await recordAnswer(trx, delivery);
  });
}

/** An answered test event closes its receiver's breaker, so its pending deliveries need not wait for a probe. */
async function recordAnswer(
  trx: Trx,
  { accountId, endpointHash }: Pick<NewDelivery, 'accountId' | 'endpointHash'>,
): Promise<void> {
  await sql`
    with answer as (
      select ${accountId}::text as account_id, ${endpointHash}::bytea as endpoint_hash, true as answered, 0 as duration_ms
    ), ${receiverChanges('answer')}
    select ${NOTIFY_WORKERS}
  `.execute(trx);
}

/** A new delivery's columns, without its outcome. */
export function columnsOf(delivery: NewDelivery) {
  return {
    id: delivery.id,
    account_id: delivery.accountId,
    challenge_id: delivery.challengeId,
    event: delivery.event,
    endpoint_index: delivery.endpointIndex,
    sealed_endpoint: delivery.sealedEndpoint,
    endpoint_hash: delivery.endpointHash,
  };
}

function attemptColumns(deliveryId: string, attempt: AttemptRecord) {
  return {
    delivery_id: deliveryId,
    at: attempt.at,
    duration_ms: attempt.durationMs,
    response_status: attempt.responseStatus,
    outcome: attempt.outcome,
    sealed_excerpt: attempt.sealedExcerpt,
  };
}
