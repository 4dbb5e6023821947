// Batched periodic work of every instance: expiry by the database's clock, stale captures, assets and results past
// their retention. SKIP LOCKED lets any number of instances share it. Each call handles at most `limit` rows and
// resolves with their number.
import { sql } from 'kysely';
import { eraseVideoKeys, readChallengeKeys, renewVideoKeys } from '../../keys/tables/challenge-keys.ts';
import { forgetAuditLines } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { NewDelivery } from '../../webhook/new-delivery.ts';
import { insertDeliveries } from '../../webhook/tables/store.ts';
import type { Challenge, ChallengePlace } from '../challenge.ts';
import { ACTIONS, type Action, type NotifyingAction } from '../lifecycle.ts';
import { deleteChunks, FINISHED, isUploadComplete, withBytes } from './capture-changes.ts';
import { isNotBeingFinished } from './capture-upload.ts';
import { columnsOf, insertEvents, isInTime, releaseClosed } from './changes.ts';
import { purgeResults } from './erasure.ts';
import { forgetFramePrints } from './frame-prints.ts';
import { returnTriesOfAbsence } from './returned-tries.ts';
import { DISCARDED_ASSET } from './rows.ts';
import { foldStoredBytes } from './stored-bytes.ts';

/** Most rows per INSERT: PostgreSQL takes 65,535 parameters, and a delivery has eight. */
const DELIVERIES_PER_INSERT = 2000;

/** A due challenge with what its notifications need. */
export type DueChallenge = ChallengePlace & Pick<Challenge, 'sealedRequest'>;

export interface PreparedExpiry {
  readonly challengeId: string;
  readonly deliveries: readonly NewDelivery[];
}

type PrepareExpiry = (due: readonly DueChallenge[]) => Promise<readonly PreparedExpiry[]>;

/** Which challenges to expire. */
interface ExpiryClaim {
  readonly limit: number;
  /** Ids to skip. */
  readonly except: readonly string[];
  /** How long after its deadline an upload that cannot be stored still counts as accepted. */
  readonly patienceMs: number;
}

export type SweepStore = ReturnType<typeof createSweepStore>;

export function createSweepStore(db: Database) {
  return {
    expireDue: (action: NotifyingAction, claim: ExpiryClaim, prepare: PrepareExpiry) =>
      expireDue(db, action, claim, prepare),
    abandonStale: (limit: number) => abandonStale(db, limit),
    listUnfinishedUploads: (limit: number) => listUnfinishedUploads(db, limit),
    /** Marks assets past their retention, and lists the assets that wait for deletion. */
    async listDeletable(limit: number): Promise<string[]> {
      await discardDueAssets(db);
      const rows = await db
        .selectFrom('asset')
        .select('id')
        .where('deleting', '=', true)
        .limit(limit)
        .execute();
      return rows.map((row) => row.id);
    },
    /** Deletes the rows of assets that wait for deletion. */
    async removeAssets(assetIds: readonly string[]): Promise<void> {
      if (assetIds.length === 0) return;
      await db.deleteFrom('asset').where('id', 'in', assetIds).where('deleting', '=', true).execute();
    },
    /** Which of these ids have an asset row. */
    async knownAssets(assetIds: readonly string[]): Promise<Set<string>> {
      if (assetIds.length === 0) return new Set();
      const rows = await db.selectFrom('asset').select('id').where('id', 'in', assetIds).execute();
      return new Set(rows.map((row) => row.id));
    },
    purgeResults: (olderThanDays: number, limit: number) => purgeResults(db, olderThanDays, limit),
    foldStoredBytes: (limit: number) => foldStoredBytes(db, limit),
    forgetFramePrints: (windowDays: number, limit: number) => forgetFramePrints(db, windowDays, limit),
    forgetAuditLines: (retentionDays: number, limit: number) => forgetAuditLines(db, retentionDays, limit),
  };
}

/** Committed captures with every byte received that nobody is finishing (after a crash between two steps). */
async function listUnfinishedUploads(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('capture as c')
    .innerJoin('challenge as h', 'h.id', 'c.challenge_id')
    .select('c.id')
    .where(isUploadComplete)
    .where(isNotBeingFinished)
    .where('h.status', 'in', ACTIONS.submitCapture.requires.from)
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Marks assets past their retention and destroys their keys. */
function discardDueAssets(db: Database): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .updateTable('asset')
      .set(DISCARDED_ASSET)
      .where('delete_after', '<=', sql<Date>`now()`)
      .where('deleting', '=', false)
      .returning(['challenge_id', 'kind'])
      .execute();
    const recorded = due.flatMap(({ challenge_id, kind }) =>
      challenge_id && kind !== 'logo' ? [challenge_id] : [],
    );
    await eraseVideoKeys(trx, [...new Set(recorded)]);
  });
}

/** The challenge has no complete upload that only waits to be stored. */
const hasNoCompleteUpload = (patienceMs: number) => sql<boolean>`not exists (
  select from capture where challenge_id = challenge.id and ${isUploadComplete}
    and upload_deadline > now() - ${patienceMs} * interval '1 millisecond')`;

/**
 * In one transaction, claims open challenges that are past their deadline, have no accepted capture and are not held by
 * another instance, and expires those that `prepare` returns, each with its event and deliveries. Resolves with the
 * number claimed. A complete upload counts as an accepted capture. The rows stay locked while their deliveries are
 * sealed, for a few milliseconds, so that no two instances seal the same ones.
 */
function expireDue(
  db: Database,
  action: NotifyingAction,
  { limit, except, patienceMs }: ExpiryClaim,
  prepare: PrepareExpiry,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom('challenge')
      .select(['id', 'account_id', 'sealed_request'])
      .where('status', 'in', action.requires.from)
      // The transaction's time, which the index can be searched by.
      .where(isInTime(action, sql<Date>`now()`))
      .where(hasNoCompleteUpload(patienceMs))
      .$if(except.length > 0, (select) => select.where('id', '!=', sql<string>`all(${except}::text[])`))
      .orderBy('expires_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    if (due.length === 0) return 0;
    const keys = await readChallengeKeys(
      trx,
      due.map((row) => row.id),
    );
    const prepared = await prepare(
      due.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        sealedRequest: row.sealed_request,
        // The keys exist as long as the challenge's row, which is locked.
        ...keys.get(row.id)!,
      })),
    );
    await expirePrepared(trx, action, prepared);
    return due.length;
  });
}

async function expirePrepared(trx: Trx, action: Action, prepared: readonly PreparedExpiry[]): Promise<void> {
  const ids = prepared.map((each) => each.challengeId);
  if (ids.length === 0) return;
  const closed = await trx
    .updateTable('challenge')
    .set(columnsOf(action))
    .where('id', 'in', ids)
    .returning(['id', 'closed_at'])
    .execute();
  await insertEvents(
    trx,
    closed.map(({ id, closed_at }) => ({ challengeId: id, at: closed_at!, detail: null })),
    action,
  );
  // No retention: an expired challenge keeps no assets.
  await releaseClosed(trx, ids, action, 0);
  const deliveries = prepared.flatMap((each) => each.deliveries);
  for (let from = 0; from < deliveries.length; from += DELIVERIES_PER_INSERT) {
    await insertDeliveries(trx, deliveries.slice(from, from + DELIVERIES_PER_INSERT));
  }
}

/**
 * Abandons captures whose commit or upload deadline has passed, and deletes their chunks. Those that the service lost
 * give back their tries, in a statement of its own: it locks challenges, and whoever locks both begins with these.
 */
async function abandonStale(db: Database, limit: number): Promise<number> {
  const abandoned = await db.transaction().execute(async (trx) => {
    const stale = await trx
      .selectFrom('capture')
      .select(['id', 'challenge_id', 'received_bytes'])
      .where((eb) =>
        eb.or([
          eb.and([eb('state', '=', 'issued'), eb('commit_deadline', '<=', sql<Date>`now()`)]),
          eb.and([
            eb('state', '=', 'committed'),
            eb('upload_deadline', '<=', sql<Date>`now()`),
            eb.not(isUploadComplete),
          ]),
        ]),
      )
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    const ids = stale.map((row) => row.id);
    if (ids.length === 0) return [];
    await trx
      .updateTable('capture')
      .set({ state: 'abandoned', ...FINISHED })
      .where('id', 'in', ids)
      .execute();
    await deleteChunks(trx, ids);
    await renewVideoKeys(trx, withBytes(stale));
    return ids;
  });
  await returnTriesOfAbsence(db, abandoned);
  return abandoned.length;
}
