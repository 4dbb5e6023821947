// What a finished attempt writes: the attempt itself, the next step of its delivery, and the state of its receiver.
import { sql } from 'kysely';
import type { AttemptOutcome } from '../../contract/delivery.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { NewDelivery } from '../new-delivery.ts';
import type { NextStep } from '../schedule.ts';
import { NOTIFY_WORKERS } from './notifier.ts';
import { receiverChanges } from './receiver-breaker.ts';

/** One finished attempt. */
export interface AttemptRecord {
  readonly at: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly outcome: AttemptOutcome;
  /** Beginning of the answer, sealed with the delivery's key because a receiver may echo the payload. */
  readonly sealedExcerpt: Buffer | null;
}

/** A finished attempt, the step of the schedule at which it counts, and what follows. */
export interface FinishedAttempt {
  readonly deliveryId: string;
  /** The delivery's `scheduleStep` when the attempt began. */
  readonly step: number;
  readonly attempt: AttemptRecord;
  readonly next: NextStep;
  /** Whether the receiver is alive: it answered with a status below 500. */
  readonly answered: boolean;
}

/**
 * Records attempts together with what follows, and what they say about their receivers, all or none, in one statement
 * and so one round trip. `finished` holds each delivery at most once. A delivery that was cancelled, erased or delivered
 * meanwhile stays so. A failure changes the schedule only if `step` is still the delivery's current step, so that it
 * does not undo a redelivery requested meanwhile. `locked` locks the rows first, in one order, so that no two writers
 * deadlock; if two attempts end at the same time, the second sees what the first wrote. The lease ends with the attempt.
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

/** Inserts a test delivery that is already finished, with its only attempt. */
export function insertFinished(
  db: Database,
  delivery: NewDelivery,
  attempt: AttemptRecord,
  answered: boolean,
  actor: string,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { accountId, id: subject } = delivery;
    await writeAudit(trx, { actor, action: 'webhook.tested', accountId, subject });
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
    address_hash: delivery.addressHash,
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
