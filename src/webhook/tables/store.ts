// The delivery tables: the outbox itself is the queue. claim.ts chooses due deliveries; attempts.ts writes what their
// attempts yield.
import { type Selectable, sql } from 'kysely';
import type { AttemptOutcome, DeliveryEvent } from '../../contract/delivery.ts';
import type { DeliveryStatus } from '../../contract/states.ts';
import type { KeyHolder } from '../../keys/account-keys.ts';
import { readChallengeKeys } from '../../keys/tables/challenge-keys.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { NewDelivery } from '../new-delivery.ts';
import {
  type AttemptRecord,
  columnsOf,
  type FinishedAttempt,
  insertFinished,
  recordAttempts,
} from './attempts.ts';
import { claimDeliveries } from './claim.ts';
import { NOTIFY_WORKERS } from './notifier.ts';
import { forgetReceivers, purgeTests } from './retention.ts';
import type { DeliveryAttemptTable, DeliveryTable } from './schema.ts';

/** Latest attempts shown for one delivery. */
const LISTED_ATTEMPTS = 50;

/** A delivery as stored. */
export interface StoredDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  /** Whose key seals it: the challenge's, or the account's for a test. */
  readonly holder: KeyHolder;
  readonly event: DeliveryEvent;
  readonly sealedEndpoint: Buffer;
  readonly endpointHash: Buffer;
  readonly status: DeliveryStatus;
  /** Attempts finished in this run of the retry schedule; a redelivery begins a new run. */
  readonly scheduleStep: number;
  readonly createdAt: Date;
  /** When the next attempt is due, or when the one in progress was. */
  readonly nextAttemptAt: Date | null;
  readonly finishedAt: Date | null;
}

/** A delivery with its latest attempts, oldest first. */
export interface DeliveryWithAttempts {
  readonly delivery: StoredDelivery;
  readonly attempts: readonly AttemptRecord[];
}

/** The filter of an operator's list of deliveries. */
export interface DeliveryQuery {
  readonly accountId?: string;
  readonly challengeId?: string;
  readonly status?: DeliveryStatus;
  readonly limit: number;
}

/** What became of a request to send a delivery again. */
type Requeue = 'requeued' | 'not_found' | 'not_repeatable';

type OperatorRequeue =
  | { readonly status: 'requeued'; readonly accountId: string }
  | { readonly status: Exclude<Requeue, 'requeued'> };

/**
 * Inserts deliveries, due now, and notifies workers; call it inside the transaction that closes the challenge. An
 * existing delivery (same challenge, event and position) is left unchanged, so an event is sent once.
 */
export async function insertDeliveries(trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({ ...columnsOf(delivery), next_attempt_at: sql<Date>`now()` }));
  await trx
    .insertInto('delivery')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(NOTIFY_WORKERS.as('notified'))
    .execute();
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** The delivery tables. Every method is one transaction; times are the database's. */
export function createDeliveryStore(db: Database) {
  return {
    claim: async (limit: number) => withHolders(db, await claimDeliveries(db, limit)),
    recordAttempts: (finished: readonly FinishedAttempt[]) => recordAttempts(db, finished),
    /** Cancels a pending delivery whose challenge no longer has a payload. */
    async cancel(deliveryId: string): Promise<void> {
      await db
        .updateTable('delivery')
        .set({ status: 'cancelled', next_attempt_at: null, lease_until: null, finished_at: sql<Date>`now()` })
        .where('id', '=', deliveryId)
        .where('status', '=', 'pending')
        .execute();
    },
    requeue: (accountId: string, deliveryId: string) => requeue(db, accountId, deliveryId),
    requeueForOperator: (deliveryId: string, operator: string) =>
      requeueForOperator(db, deliveryId, operator),
    insertFinished: (delivery: NewDelivery, attempt: AttemptRecord, answered: boolean, actor: string) =>
      insertFinished(db, delivery, attempt, answered, actor),
    purgeTests: (olderThanDays: number, limit: number) => purgeTests(db, olderThanDays, limit),
    forgetReceivers: (olderThanDays: number, limit: number) => forgetReceivers(db, olderThanDays, limit),
    /** Deliveries of one challenge in order of creation. */
    listByChallenge: async (accountId: string, challengeId: string) =>
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
    list: (query: DeliveryQuery) => list(db, query),
    async find(accountId: string, deliveryId: string): Promise<DeliveryWithAttempts | null> {
      const rows = await db
        .selectFrom('delivery')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', deliveryId)
        .execute();
      return (await withAttempts(db, rows))[0] ?? null;
    },
    /** For operators: those of these deliveries that exist, of any account. */
    async findAny(deliveryIds: readonly string[]): Promise<StoredDelivery[]> {
      if (deliveryIds.length === 0) return [];
      const rows = await db.selectFrom('delivery').selectAll().where('id', 'in', deliveryIds).execute();
      return withHolders(db, rows);
    },
  };
}

/** Newest first, of every account unless one is named. */
async function list(db: Database, query: DeliveryQuery): Promise<DeliveryWithAttempts[]> {
  // Ids are time-ordered.
  let select = db.selectFrom('delivery').selectAll().orderBy('id', 'desc').limit(query.limit);
  if (query.accountId !== undefined) select = select.where('account_id', '=', query.accountId);
  if (query.challengeId !== undefined) select = select.where('challenge_id', '=', query.challengeId);
  if (query.status) select = select.where('status', '=', query.status);
  return withAttempts(db, await select.execute());
}

/**
 * Makes a delivery pending and due now, even if its receiver is failing, with a new run of the schedule. It counts as
 * due for longer than an open breaker holds back deliveries (claim.ts), so that a redelivery does not have to wait.
 */
async function requeue(db: Database, accountId: string, deliveryId: string): Promise<Requeue> {
  const { rows } = await sql<{ requeued: boolean }>`
    with changed as (
      update delivery set
        status = 'pending', schedule_step = 0, finished_at = null, lease_until = null, leases = 0,
        next_attempt_at = case when exists (
          select from webhook_receiver r where r.endpoint_hash = delivery.endpoint_hash and r.probe_at is not null
        ) then now() - interval '1 hour' else now() end
      where id = ${deliveryId} and account_id = ${accountId} and status <> 'cancelled' and event <> 'test'
      returning ${NOTIFY_WORKERS}
    )
    select exists (select from changed) as requeued
    from delivery where id = ${deliveryId} and account_id = ${accountId}
  `.execute(db);
  if (!rows[0]) return 'not_found';
  return rows[0].requeued ? 'requeued' : 'not_repeatable';
}

/** The same for an operator, who need not know the account, with a line in the audit log. */
function requeueForOperator(db: Database, deliveryId: string, operator: string): Promise<OperatorRequeue> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('delivery')
      .select('account_id')
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    if (!row) return { status: 'not_found' };
    const status = await requeue(trx, row.account_id, deliveryId);
    if (status !== 'requeued') return { status };
    const action = 'delivery.redelivered';
    await writeAudit(trx, { actor: operator, action, accountId: row.account_id, subject: deliveryId });
    return { status, accountId: row.account_id };
  });
}

async function withAttempts(
  db: Database,
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

/** The deliveries of these rows, in order, without those whose challenges are being erased. */
async function withHolders(
  db: Database,
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
