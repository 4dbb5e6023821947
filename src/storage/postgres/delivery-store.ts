// The delivery tables (port: src/webhook/ports.ts): the outbox itself is the queue. What must not come apart, an attempt
// and what follows it, is one statement. How due deliveries are chosen: delivery-claim.ts.
import { type Kysely, type Selectable, sql } from 'kysely';
import type { AttemptOutcome } from '../../contract/delivery.ts';
import type {
  AttemptRecord,
  DeliveryQuery,
  DeliveryStore,
  DeliveryWithAttempts,
  FinishedAttempt,
  KeyHolder,
  NewDelivery,
  StoredDelivery,
} from '../../webhook/ports.ts';
import { readChallengeKeys } from './challenge-keys.ts';
import { DELIVERY_CHANNEL } from './delivery-bell.ts';
import { claimDeliveries } from './delivery-claim.ts';
import type { DeliveryAttemptTable, DeliveryTable, Schema } from './schema.ts';

/** A pool or a transaction. */
type Session = Kysely<Schema>;

/** Attempts shown of one delivery. */
const LISTED_ATTEMPTS = 50;

/**
 * Inserts deliveries, due now, and rings for them; to be called inside the transaction that closes the challenge. One
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
    .select(RING.as('rung'))
    .limit(1)
    .execute();
}

/** Heard by the dispatchers when the transaction commits. */
const RING = sql`pg_notify(${sql.lit(DELIVERY_CHANNEL)}, '')`;

/** The port's implementation on PostgreSQL. */
export function createDeliveryStore(db: Session): DeliveryStore {
  return {
    async claim(request) {
      const { rows, after } = await claimDeliveries(db, request);
      return { deliveries: await withHolders(db, rows), after };
    },
    recordAttempts: (finished) => recordAttempts(db, finished),
    async cancel(deliveryId) {
      await db
        .updateTable('delivery')
        .set({ status: 'cancelled', next_attempt_at: null, lease_until: null, finished_at: sql<Date>`now()` })
        .where('id', '=', deliveryId)
        .where('status', '=', 'pending')
        .execute();
    },
    requeue: (accountId, deliveryId) => requeue(db, accountId, deliveryId),
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
    purgeTests: (olderThanDays, limit) => purgeTests(db, olderThanDays, limit),
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
    list: (query) => list(db, query),
    async find(accountId, deliveryId) {
      const rows = await db
        .selectFrom('delivery')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', deliveryId)
        .execute();
      return (await withAttempts(db, rows))[0] ?? null;
    },
    async accountOf(deliveryId) {
      const row = await db
        .selectFrom('delivery')
        .select('account_id')
        .where('id', '=', deliveryId)
        .executeTakeFirst();
      return row?.account_id ?? null;
    },
  };
}

/** The attempts go with them by cascade. */
async function purgeTests(db: Session, olderThanDays: number, limit: number): Promise<number> {
  const deleted = await db
    .deleteFrom('delivery')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('id')
        .where('challenge_id', 'is', null)
        .where('finished_at', '<', sql<Date>`now() - ${olderThanDays} * interval '1 day'`)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

async function list(db: Session, query: DeliveryQuery): Promise<DeliveryWithAttempts[]> {
  // Ids are time-ordered.
  let select = db.selectFrom('delivery').selectAll().orderBy('id', 'desc').limit(query.limit);
  if (query.accountId !== undefined) select = select.where('account_id', '=', query.accountId);
  if (query.challengeId !== undefined) select = select.where('challenge_id', '=', query.challengeId);
  if (query.status) select = select.where('status', '=', query.status);
  return withAttempts(db, await select.execute());
}

/**
 * One statement, hence one transaction and one round trip. `locked` takes the rows first, in one order so that no two
 * writers wait for each other; of two attempts that end at once the second sees what the first wrote, and only the
 * attempt at the row's own step moves the schedule. The lease falls with it.
 */
async function recordAttempts(db: Session, finished: readonly FinishedAttempt[]): Promise<void> {
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
        ${column((each) => each.attempt.sealedExcerpt)}::bytea[]
      ) as given(delivery_id, step, next_status, delay_ms, at, duration_ms, response_status, outcome, sealed_excerpt)
    ), locked as materialized (
      select given.*, delivery.status,
        delivery.status = 'pending' and delivery.schedule_step = given.step as current
      from delivery join given on given.delivery_id = delivery.id
      order by delivery.id for update of delivery
    ), recorded as (
      insert into delivery_attempt (delivery_id, at, duration_ms, response_status, outcome, sealed_excerpt)
      select delivery_id, at, duration_ms, response_status, outcome, sealed_excerpt from locked
    )
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
        else delivery.next_attempt_at end,
      finished_at = case
        when locked.next_status = 'delivered' then coalesce(delivery.finished_at, now())
        when locked.current and locked.next_status = 'failed' then now()
        else delivery.finished_at end
    from locked where delivery.id = locked.delivery_id
  `.execute(db);
}

async function requeue(db: Session, accountId: string, deliveryId: string) {
  const { rows } = await sql<{ requeued: boolean }>`
    with changed as (
      update delivery set
        status = 'pending', schedule_step = 0, next_attempt_at = now(), finished_at = null, lease_until = null, leases = 0
      where id = ${deliveryId} and account_id = ${accountId} and status <> 'cancelled' and event <> 'test'
      returning id
    ), rung as materialized (select ${RING} from changed)
    select exists (select from rung) as requeued
    from delivery where id = ${deliveryId} and account_id = ${accountId}
  `.execute(db);
  if (!rows[0]) return 'notFound';
  return rows[0].requeued ? 'requeued' : 'notRepeatable';
}

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
  return (await withHolders(db, deliveries)).map((delivery) => ({
    delivery,
    attempts: attempts.filter((attempt) => attempt.delivery_id === delivery.id).map(attemptOf),
  }));
}

/** The deliveries of these rows, in order; without those whose challenges are being erased at this moment. */
async function withHolders(
  db: Session,
  rows: readonly Selectable<DeliveryTable>[],
): Promise<StoredDelivery[]> {
  const challengeIds = new Set(rows.flatMap(({ challenge_id }) => challenge_id ?? []));
  const keys = await readChallengeKeys(db, [...challengeIds]);
  return rows.flatMap((row) => {
    const erasureKey = keys.get(row.challenge_id ?? '')?.detailsKey;
    if (row.challenge_id !== null && !erasureKey) return [];
    return [deliveryOf(row, erasureKey ? { accountId: row.account_id, erasureKey } : row.account_id)];
  });
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

function deliveryOf(row: Selectable<DeliveryTable>, holder: KeyHolder): StoredDelivery {
  return {
    holder,
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
