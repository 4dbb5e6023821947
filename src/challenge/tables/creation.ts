// Writes a new challenge: its row, keys, the FeatureIDs to compare with and audit line, and the idempotency record of
// its request.
import { sql } from 'kysely';
import type { PublicRequest } from '../../contract/challenge-request.ts';
import { insertRecord, type NewIdempotencyRecord } from '../../idempotency/tables/store.ts';
import { erasureKeyRows } from '../../keys/tables/erasure-keys.ts';
import { auditLine } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { ChallengePlace } from '../challenge.ts';

export interface NewChallenge extends ChallengePlace {
  readonly videoKey: Buffer;
  readonly sandbox: boolean;
  readonly request: PublicRequest;
  readonly sealedRequest: Buffer;
  /** Finds the challenge by its customer_reference; null if it has none. */
  readonly referenceTag: Buffer | null;
  readonly linkHash: Buffer;
  readonly expiresInSeconds: number;
  /** Ids of the FeatureIDs that it compares with, without duplicates. */
  readonly featidIds: readonly string[];
  /** Who creates it, for the audit log. */
  readonly actor: string;
}

type InsertOutcome =
  | { readonly status: 'created'; readonly createdAt: Date; readonly expiresAt: Date }
  /** Nothing was written, because the idempotency key has a record already, or one is being written. */
  | { readonly status: 'keyTaken' };

/**
 * Inserts the challenge, its audit row and its idempotency record, if it has one: all or nothing. Resolves after the
 * commit.
 */
export function createChallenge(
  db: Database,
  challenge: NewChallenge,
  record: NewIdempotencyRecord | null,
): Promise<InsertOutcome> {
  return db.transaction().execute(async (trx) => {
    if (record && !(await insertRecord(trx, record))) return { status: 'keyTaken' };
    return insertChallenge(trx, challenge);
  });
}

/**
 * Inserts the row, its keys and its audit line in one statement: each further one costs a create a tenth of its time.
 * Times are the transaction's, because a replay computes `expires_at` from the time of its idempotency record.
 */
export async function insertChallenge(
  trx: Trx,
  challenge: NewChallenge,
): Promise<InsertOutcome & { status: 'created' }> {
  const { id, accountId, expiresInSeconds, detailsKey, videoKey, referenceTag } = challenge;
  const row = await trx
    .with('keys', () => sql`(${erasureKeyRows([{ id, key: detailsKey, videoKey, referenceTag }])})`)
    .with('line', (db) =>
      auditLine(db, { actor: challenge.actor, action: 'challenge.created', accountId, subject: id }),
    )
    .insertInto('challenge')
    .values({
      id,
      account_id: accountId,
      sandbox: challenge.sandbox,
      public_request: JSON.stringify(challenge.request),
      sealed_request: challenge.sealedRequest,
      link_hash: challenge.linkHash,
      expires_at: sql<Date>`now() + ${expiresInSeconds} * interval '1 second'`,
    })
    .returning(['created_at', 'expires_at'])
    .executeTakeFirstOrThrow();
  if (challenge.featidIds.length > 0) await insertComparedFeatids(trx, challenge);
  return { status: 'created', createdAt: row.created_at, expiresAt: row.expires_at };
}

/**
 * Names the FeatureIDs that a challenge compares with: retention leaves them alone until it closes. One that
 * retention has deleted meanwhile is skipped.
 */
async function insertComparedFeatids(trx: Trx, { id, featidIds }: NewChallenge): Promise<void> {
  await sql`
    insert into compare_to_featid (featid_id, challenge_id)
    select f.id, ${id} from featid f where f.id = any(${featidIds}::text[])`.execute(trx);
}
