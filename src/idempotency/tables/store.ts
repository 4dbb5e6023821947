// The table of idempotency records. A record is in force until `expires_at`; after that it counts as absent, whether or
// not the sweep has deleted it. Times are the database's.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { KeyHolder } from '../../keys/account-keys.ts';
import type { ChallengeKeys } from '../../keys/erasure-key.ts';
import { readChallengeKeys } from '../../keys/tables/challenge-keys.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { isOwnedBy } from '../../storage/postgres/owned-by.ts';

/** An idempotency key and its scope: one account, one path. */
export interface IdempotencyScope {
  readonly accountId: string;
  readonly path: string;
  readonly key: string;
}

/** A record that is complete when it is written. */
export interface NewIdempotencyRecord {
  readonly scope: IdempotencyScope;
  /** HMAC of the request's body; 32 bytes. */
  readonly fingerprint: Buffer;
  readonly sealedAnswer: Buffer;
  /** How long it is in force. */
  readonly lifeMs: number;
}

/** A claim that holds a key while its request is in progress. */
interface NewIdempotencyClaim {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
  /**
   * The challenge that the answer will be about: the answer is sealed under its key and erased with it. Null if there
   * is none; a challenge of another account counts as none.
   */
  readonly challengeId: string | null;
  /** The process of a claim older than this is considered dead. */
  readonly lifeMs: number;
}

interface IdempotencyClaim {
  readonly scope: IdempotencyScope;
  /** Distinguishes it from a later claim of the same key. */
  readonly id: string;
  /** Whose key seals the answer. */
  readonly holder: KeyHolder;
}

/** A record in force. */
interface IdempotencyRecord {
  readonly fingerprint: Buffer;
  /** Null while the request is in progress. */
  readonly sealedAnswer: Buffer | null;
  /** Whose key seals the answer. */
  readonly holder: KeyHolder;
  readonly createdAt: Date;
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(db: Database) {
  return {
    find: (scope: IdempotencyScope) => findRecord(db, scope),
    insert: (record: NewIdempotencyRecord) => insertRecord(db, record),
    /** Claims the key; null if a record is in force or being written. */
    async claim({
      scope,
      fingerprint,
      challengeId,
      lifeMs,
    }: NewIdempotencyClaim): Promise<IdempotencyClaim | null> {
      const id = randomUUID();
      const written = await insertRow(db, {
        scope,
        fingerprint,
        lifeMs,
        challengeId,
        claim: id,
        sealedAnswer: null,
      });
      if (!written) return null;
      const keys = await readChallengeKeys(db, written.challengeId === null ? [] : [written.challengeId]);
      const holder = holderOf(scope.accountId, written.challengeId, keys);
      // Erased meanwhile, and the claim with it: the work itself will find out.
      return { scope, id, holder: holder ?? scope.accountId };
    },
    /** Turns a claim into a record. Does nothing if the claim was lost, or erased with its challenge. */
    async complete(claim: IdempotencyClaim, sealedAnswer: Buffer, lifeMs: number): Promise<void> {
      await db
        .updateTable('idempotency_record')
        .set({ claim: null, sealed_answer: sealedAnswer, expires_at: expiresAfter(lifeMs) })
        .where(isClaim(claim))
        .execute();
    },
    /** Releases a claim, so that the next request with the key runs. */
    async release(claim: IdempotencyClaim): Promise<void> {
      await db.deleteFrom('idempotency_record').where(isClaim(claim)).execute();
    },
    /** Deletes records that are no longer in force; resolves with the count. */
    async deleteExpired(): Promise<number> {
      // Skips locked rows, because it must not lock in a different order from writers.
      const { numAffectedRows } = await sql`
        delete from idempotency_record r using (
          select account_id, path, key from idempotency_record where expires_at <= now() for update skip locked
        ) due
        where r.account_id = due.account_id and r.path = due.path and r.key = due.key`.execute(db);
      return Number(numAffectedRows);
    },
  };
}

/**
 * Writes a record in the transaction of the work that it describes. False if the key has a record in force, or one that
 * another transaction is writing: the work must not be done.
 */
export async function insertRecord(session: Database, record: NewIdempotencyRecord): Promise<boolean> {
  return (await insertRow(session, { ...record, claim: null, challengeId: null })) !== null;
}

interface Row {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
  readonly claim: string | null;
  readonly sealedAnswer: Buffer | null;
  readonly challengeId: string | null;
  readonly lifeMs: number;
}

/**
 * Inserts a row if its key is free; resolves with the challenge that was found. The advisory lock is held until the
 * transaction ends: a key that another transaction holds is refused instead of waited for. If the lock is obtained too
 * early, the row itself decides. A challenge that is being erased is waited for, and then not found.
 */
async function insertRow(session: Database, row: Row): Promise<{ challengeId: string | null } | null> {
  const { accountId, path, key } = row.scope;
  const lockText = JSON.stringify([accountId, path, key]);
  const challenge =
    row.challengeId === null
      ? sql`null`
      : sql`(select id from challenge where id = ${row.challengeId} and ${isOwnedBy(accountId)} for key share)`;
  const { rows } = await sql<{ challenge_id: string | null }>`
    insert into idempotency_record (account_id, path, key, fingerprint, claim, sealed_answer, challenge_id, created_at,
      expires_at)
    select ${accountId}, ${path}, ${key}, ${row.fingerprint}::bytea, ${row.claim}::uuid, ${row.sealedAnswer}::bytea,
      ${challenge}, now(), ${expiresAfter(row.lifeMs)}
    where pg_try_advisory_xact_lock(hashtextextended(${lockText}, 0))
    on conflict (account_id, path, key) do update set fingerprint = excluded.fingerprint, claim = excluded.claim,
      sealed_answer = excluded.sealed_answer, challenge_id = excluded.challenge_id,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    where idempotency_record.expires_at <= now()
    returning challenge_id`.execute(session);
  return rows[0] ? { challengeId: rows[0].challenge_id } : null;
}

/** The record in force; null if there is none. */
async function findRecord(db: Database, scope: IdempotencyScope): Promise<IdempotencyRecord | null> {
  const row = await db
    .selectFrom('idempotency_record')
    .select(['fingerprint', 'sealed_answer', 'challenge_id', 'created_at'])
    .where(hasScope(scope))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) return null;
  const keys = await readChallengeKeys(db, row.challenge_id === null ? [] : [row.challenge_id]);
  const holder = holderOf(scope.accountId, row.challenge_id, keys);
  // Without a holder, the challenge was erased between the two statements, and the record with it.
  if (!holder) return null;
  return { fingerprint: row.fingerprint, sealedAnswer: row.sealed_answer, holder, createdAt: row.created_at };
}

/**
 * Whose key seals a record: the challenge's, or the account's if there is no challenge; null if the challenge is
 * erased.
 */
function holderOf(
  accountId: string,
  challengeId: string | null,
  keys: ReadonlyMap<string, ChallengeKeys>,
): KeyHolder | null {
  if (challengeId === null) return accountId;
  const own = keys.get(challengeId);
  return own ? { accountId, erasureKey: own.detailsKey } : null;
}

const expiresAfter = (lifeMs: number) => sql<Date>`now() + ${lifeMs} * interval '1 millisecond'`;

const hasScope = (scope: IdempotencyScope) =>
  sql<boolean>`account_id = ${scope.accountId} and path = ${scope.path} and key = ${scope.key}`;

const isClaim = (claim: IdempotencyClaim) =>
  sql<boolean>`${hasScope(claim.scope)} and claim = ${claim.id}::uuid`;
