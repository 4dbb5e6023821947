// Erasure of one challenge (DELETE /v1/challenges/{id}) and of results past their retention.
import { sql } from 'kysely';
import { eraseFeatidKeys } from '../../featid/tables/keys.ts';
import { AT_ONCE, eraseKeys, WITHIN_TEN_MINUTES } from '../../keys/tables/erasure-keys.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import { notifyWaiting } from '../../storage/postgres/coordination/notifier.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import { isOwnedBy } from '../../storage/postgres/owned-by.ts';
import { auditUndelivered } from '../../webhook/tables/retention.ts';
import { DISCARDED_ASSET } from './rows.ts';

/**
 * Deletes the challenge with events, captures, result and deliveries, turns its FeatureIDs into tombstones and marks
 * its assets for deletion. If retention has purged the row, only FeatureIDs and assets are affected; null if there is
 * nothing left. The rows that refer to the challenge are deleted by cascade, among them its deliveries and idempotency
 * records.
 */
export function eraseChallenge(
  db: Database,
  accountId: string,
  challengeId: string,
  actor: string,
): Promise<{ assetIds: string[] } | null> {
  return db.transaction().execute(async (trx) => {
    // Lock the row first, as every change of a challenge does, so that nothing is added meanwhile.
    const own = await trx
      .selectFrom('challenge')
      .select('id')
      .where('id', '=', challengeId)
      .where(isOwnedBy(accountId))
      .forUpdate()
      .executeTakeFirst();
    // Before the keys, as retention does: in opposite orders the two would deadlock.
    const assets = await trx
      .updateTable('asset')
      .set(DISCARDED_ASSET)
      .where('challenge_id', '=', challengeId)
      .where(isOwnedBy(accountId))
      .returning('id')
      .execute();
    const featids = await revokeMadeBy(trx, accountId, challengeId);
    if (!own && assets.length + featids.inForce === 0) return null;
    await eraseKeys(trx, [challengeId], AT_ONCE);
    await eraseFeatidKeys(trx, featids.ids, AT_ONCE);
    await trx.deleteFrom('challenge').where('id', '=', challengeId).where(isOwnedBy(accountId)).execute();
    await writeAudit(trx, {
      actor,
      action: 'challenge.erased',
      accountId,
      subject: challengeId,
      isErasure: true,
    });
    await notifyWaiting(trx, challengeId);
    return { assetIds: assets.map((asset) => asset.id) };
  });
}

/**
 * Revokes the FeatureIDs of a challenge's captures. `ids` includes those that were revoked before: retention leaves
 * their keys on the disk for some minutes, as it does those of results, and an erasure in that time hastens it.
 */
async function revokeMadeBy(
  trx: Trx,
  accountId: string,
  challengeId: string,
): Promise<{ ids: string[]; inForce: number }> {
  const made = await trx
    .selectFrom('featid')
    .select('id')
    .where('challenge_id', '=', challengeId)
    .where(isOwnedBy(accountId))
    .execute();
  const revoked = await trx
    .updateTable('featid')
    .set({ sealed_template: null, revoked_at: sql<Date>`now()` })
    .where('challenge_id', '=', challengeId)
    .where(isOwnedBy(accountId))
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return { ids: made.map(({ id }) => id), inForce: revoked.length };
}

/**
 * Deletes at most `limit` challenges closed longer ago than this, including deliveries that still wait for their
 * receiver, which the audit log lists; resolves with their number. A delivery that was never tried delays this by an
 * hour at most. The challenges' assets are marked for deletion. FeatureIDs stay: retention of results does not affect
 * them.
 */
export function purgeResults(db: Database, olderThanDays: number, limit: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const ids = await lockPurgeable(trx, olderThanDays, limit);
    if (ids.length === 0) return 0;
    await trx.updateTable('asset').set(DISCARDED_ASSET).where('challenge_id', 'in', ids).execute();
    await eraseKeys(trx, ids, WITHIN_TEN_MINUTES);
    await auditUndelivered(trx, ids);
    await trx.deleteFrom('challenge').where('id', 'in', ids).execute();
    return ids.length;
  });
}

/**
 * How long past its retention a result waits for the first attempt of its webhooks, if retention is so short that it
 * would be deleted as soon as it exists.
 */
const FIRST_ATTEMPT_WITHIN = sql.lit('1 hour');

async function lockPurgeable(trx: Trx, days: number, limit: number): Promise<string[]> {
  const over = sql<Date>`now() - ${days} * interval '1 day'`;
  const rows = await trx
    .selectFrom('challenge as h')
    .select('h.id')
    .where('h.closed_at', '<', over)
    .where((eb) =>
      eb.or([
        eb('h.closed_at', '<', sql<Date>`${over} - interval ${FIRST_ATTEMPT_WITHIN}`),
        eb.not(
          eb.exists(
            eb
              .selectFrom('delivery as d')
              .select('d.id')
              .whereRef('d.challenge_id', '=', 'h.id')
              .where('d.status', '=', 'pending')
              .where('d.attempts', '=', 0),
          ),
        ),
      ]),
    )
    .orderBy('h.closed_at')
    .limit(limit)
    .forUpdate('h')
    .skipLocked()
    .execute();
  return rows.map((row) => row.id);
}
