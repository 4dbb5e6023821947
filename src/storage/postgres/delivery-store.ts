// The delivery tables (port: src/webhook/ports.ts) and their jobs. What must not come apart, an attempt and the job of
// the next one, is one statement.
import { type Kysely, type Selectable, sql } from 'kysely';
import type { AttemptOutcome } from '../../contract/delivery.ts';
import type {
  AttemptRecord,
  DeliveryStore,
  DeliveryWithAttempts,
  NewDelivery,
  NextStep,
  StoredDelivery,
} from '../../webhook/ports.ts';
import type { DeliveryAttemptTable, DeliveryTable, Schema } from './schema.ts';

/** A pool or a transaction. */
type Session = Kysely<Schema>;

/**
 * Runs of one job row before it is left alone. Every attempt writes a new row, so that this counts crashes and faults
 * of our own only, the later ones six hours apart (graphile-worker's backoff).
 */
const MAX_JOB_RUNS = 100;

/** Attempts shown of one delivery. */
const LISTED_ATTEMPTS = 50;

/**
 * Inserts deliveries, due now, each with its job; to be called inside the transaction that closes the challenge. One
 * that is there already (same challenge, event and position) is left as it is: an event goes out once.
 */
export async function insertDeliveries(session: Session, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({ ...columnsOf(delivery), next_attempt_at: sql<Date>`now()` }));
  await session
    .with('inserted', (with_) =>
      with_
        .insertInto('delivery')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id'),
    )
    .selectFrom('inserted')
    .select(addDeliverJob(sql.ref('inserted.id'), sql`now()`).as('job'))
    .execute();
}

/** The port's implementation on PostgreSQL. */
export function createDeliveryStore(db: Session): DeliveryStore {
  return {
    async load(deliveryId) {
      const row = await db
        .selectFrom('delivery')
        .selectAll()
        .select(sql<boolean>`coalesce(next_attempt_at <= clock_timestamp(), false)`.as('due'))
        .where('id', '=', deliveryId)
        .executeTakeFirst();
      return row ? { delivery: deliveryOf(row), due: row.due } : null;
    },
    recordAttempt: (deliveryId, step, attempt, next) => recordAttempt(db, deliveryId, step, attempt, next),
    defer: (deliveryId, delayMs) => defer(db, deliveryId, delayMs),
    async cancel(deliveryId) {
      await db
        .updateTable('delivery')
        .set({ status: 'cancelled', next_attempt_at: null, finished_at: sql<Date>`now()` })
        .where('id', '=', deliveryId)
        .where('status', '=', 'pending')
        .execute();
    },
    requeue: (accountId, deliveryId) => requeue(db, accountId, deliveryId),
    requeueStranded: (lateMs) => requeueStranded(db, lateMs),
    insertFinished: (delivery, attempt) =>
      db.transaction().execute(async (session) => {
        const delivered = attempt.outcome === 'delivered';
        const status = delivered ? ('delivered' as const) : ('failed' as const);
        const finished = { status, attempts: 1, schedule_step: 1, finished_at: sql<Date>`now()` };
        await session
          .insertInto('delivery')
          .values({ ...columnsOf(delivery), ...finished })
          .execute();
        await session.insertInto('delivery_attempt').values(attemptColumns(delivery.id, attempt)).execute();
      }),
    listByChallenge: async (accountId, challengeId) =>
      withAttempts(
        db,
        await db
          .selectFrom('delivery')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('challenge_id', '=', challengeId)
          .orderBy('created_at')
          .orderBy('endpoint_index')
          .execute(),
      ),
    async find(accountId, deliveryId) {
      const rows = await db
        .selectFrom('delivery')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', deliveryId)
        .execute();
      return (await withAttempts(db, rows))[0] ?? null;
    },
  };
}

/**
 * One statement, hence one transaction and one round trip. `locked` takes the row first, so that of two attempts that
 * end at once the second sees what the first wrote; only the attempt at the row's own step moves the schedule.
 */
async function recordAttempt(
  db: Session,
  deliveryId: string,
  step: number,
  attempt: AttemptRecord,
  next: NextStep,
): Promise<void> {
  const { at, durationMs, responseStatus, outcome, sealedExcerpt } = attempt;
  const delayMs = next.status === 'pending' ? next.delayMs : null;
  await sql`
    with locked as materialized (
      select id, status, status = 'pending' and schedule_step = ${step} as current
      from delivery where id = ${deliveryId} for update
    ), recorded as (
      insert into delivery_attempt (delivery_id, at, duration_ms, response_status, outcome, sealed_excerpt)
      select id, ${at}, ${durationMs}, ${responseStatus}, ${outcome}, ${sealedExcerpt}::bytea from locked
    ), changed as (
      update delivery set
        attempts = delivery.attempts + 1,
        schedule_step = delivery.schedule_step + locked.current::int,
        status = case
          when locked.status = 'cancelled' then locked.status
          when ${next.status} = 'delivered' then 'delivered'
          when locked.current then ${next.status}
          else locked.status end,
        next_attempt_at = case
          when ${next.status} = 'delivered' then null
          when locked.current then now() + ${milliseconds(delayMs)}
          else delivery.next_attempt_at end,
        finished_at = case
          when ${next.status} = 'delivered' then coalesce(delivery.finished_at, now())
          when locked.current and ${next.status} = 'failed' then now()
          else delivery.finished_at end
      from locked where delivery.id = locked.id
      returning delivery.id, delivery.next_attempt_at, locked.current and ${next.status} = 'pending' as repeated
    )
    select ${addDeliverJob(sql`id`, sql`next_attempt_at`)} from changed where repeated
  `.execute(db);
}

async function defer(db: Session, deliveryId: string, delayMs: number): Promise<void> {
  await sql`
    with changed as (
      update delivery set next_attempt_at = now() + ${milliseconds(delayMs)}
      where id = ${deliveryId} and status = 'pending'
      returning id, next_attempt_at
    )
    select ${addDeliverJob(sql`id`, sql`next_attempt_at`)} from changed
  `.execute(db);
}

async function requeue(db: Session, accountId: string, deliveryId: string) {
  const { rows } = await sql<{ requeued: boolean }>`
    with changed as (
      update delivery set status = 'pending', schedule_step = 0, next_attempt_at = now(), finished_at = null
      where id = ${deliveryId} and account_id = ${accountId} and status <> 'cancelled' and event <> 'test'
      returning id, next_attempt_at
    ), queued as materialized (
      select ${addDeliverJob(sql`id`, sql`next_attempt_at`)} from changed
    )
    select exists (select from queued) as requeued
    from delivery where id = ${deliveryId} and account_id = ${accountId}
  `.execute(db);
  if (!rows[0]) return 'notFound';
  return rows[0].requeued ? 'requeued' : 'notRepeatable';
}

/** A job that has used up its runs counts as none. */
async function requeueStranded(db: Session, lateMs: number): Promise<number> {
  const { rows } = await sql`
    with stranded as (
      select id from delivery
      where status = 'pending' and next_attempt_at < now() - ${milliseconds(lateMs)}
        and not exists (
          select from graphile_worker.jobs
          where key = delivery.id and (locked_at is not null or attempts < max_attempts)
        )
      limit 1000 for update skip locked
    )
    select ${addDeliverJob(sql`id`, sql`now()`)} from stranded
  `.execute(db);
  return rows.length;
}

/**
 * The deliver job of one delivery. With the delivery's id as key there is one waiting job at most; a running one keeps
 * running, and gives its key away.
 */
function addDeliverJob(
  id: ReturnType<typeof sql.ref> | ReturnType<typeof sql>,
  runAt: ReturnType<typeof sql>,
) {
  return sql<unknown>`(graphile_worker.add_job('deliver', json_build_object('delivery_id', ${id}), run_at := ${runAt},
    max_attempts := ${sql.lit(MAX_JOB_RUNS)}, job_key := ${id})).id`;
}

const milliseconds = (value: number | null) => sql`${value}::double precision * interval '1 millisecond'`;

async function withAttempts(
  db: Session,
  deliveries: Selectable<DeliveryTable>[],
): Promise<DeliveryWithAttempts[]> {
  if (deliveries.length === 0) return [];
  const ids = deliveries.map((delivery) => delivery.id);
  const latestFirst = sql<number>`row_number() over (partition by delivery_id order by id desc)`;
  const attempts = await db
    .selectFrom(
      db
        .selectFrom('delivery_attempt')
        .selectAll()
        .select(latestFirst.as('age'))
        .where('delivery_id', 'in', ids)
        .as('aged'),
    )
    .selectAll()
    .where('age', '<=', LISTED_ATTEMPTS)
    .orderBy('id')
    .execute();
  return deliveries.map((row) => ({
    delivery: deliveryOf(row),
    attempts: attempts.filter((attempt) => attempt.delivery_id === row.id).map(attemptOf),
  }));
}

function columnsOf(delivery: NewDelivery) {
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

function deliveryOf(row: Selectable<DeliveryTable>): StoredDelivery {
  return {
    id: row.id,
    accountId: row.account_id,
    challengeId: row.challenge_id,
    event: row.event,
    sealedEndpoint: row.sealed_endpoint,
    endpointHash: row.endpoint_hash,
    status: row.status,
    scheduleStep: row.schedule_step,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    finishedAt: row.finished_at,
  };
}

function attemptOf(row: Selectable<DeliveryAttemptTable>): AttemptRecord {
  return {
    at: row.at,
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    outcome: row.outcome as AttemptOutcome,
    sealedExcerpt: row.sealed_excerpt,
  };
}
