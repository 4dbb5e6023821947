// Retention of deliveries and of receivers' states.
import { sql } from 'kysely';
import type { Database, Trx } from '../../storage/postgres/database.ts';

/**
 * Records in the audit log which deliveries are still pending when the results of these challenges are deleted. They
 * are deleted by cascade with their challenges, and a running attempt is no longer recorded.
 */
export async function auditUndelivered(trx: Trx, challengeIds: readonly string[]): Promise<void> {
  await sql`
    insert into audit (actor, action, account_id, subject, detail)
    select 'system', 'delivery.cancelled', account_id, id,
      jsonb_build_object('reason', 'retention', 'challenge_id', challenge_id)
    from delivery where challenge_id = any(${challengeIds}::text[]) and status = 'pending'
  `.execute(trx);
}

/**
 * Deletes at most `limit` test deliveries that finished longer ago than this, with their attempts (by cascade).
 * Resolves with the count.
 */
export async function purgeTests(db: Database, olderThanDays: number, limit: number): Promise<number> {
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

/**
 * Deletes receivers whose record has not changed for longer than this and that have no pending deliveries. Resolves
 * with the count.
 */
export async function forgetReceivers(db: Database, olderThanDays: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_receiver where endpoint_hash in (
      select endpoint_hash from webhook_receiver receiver
      where changed_at < now() - ${olderThanDays} * interval '1 day'
        and not exists (select from delivery
          where delivery.endpoint_hash = receiver.endpoint_hash and delivery.next_attempt_at is not null)
      limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows);
}
