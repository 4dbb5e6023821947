// The table of idempotency records (port: src/idempotency/ports.ts). A record is in force until `expires_at`; one that is
// past it counts as absent, whether the sweep has come by or not.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type {
  IdempotencyClaim,
  IdempotencyScope,
  IdempotencyStore,
  NewIdempotencyRecord,
} from '../../idempotency/ports.ts';
import type { KeyHolder } from '../../keys/account-keys.ts';
import { readChallengeKeys } from './challenge-keys.ts';
import type { Database } from './database.ts';

export function createIdempotencyStore(db: Database): IdempotencyStore {
  return {
    find: (scope) => findRecord(db, scope),
    insert: async (record) => (await insertRecords(db, [record])).has(keyText(record.scope)),
    async claim({ scope, fingerprint, challengeId, lifeMs }) {
      const id = randomUUID();
      const row = { scope, fingerprint, lifeMs, challengeId, claim: id, sealedAnswer: null };
      const written = (await insertRows(db, [row])).get(keyText(scope));
      if (!written) return null;
      const holder = await holderOf(db, scope.accountId, written.challengeId);
      // Erased since, and the claim with it: the work finds out itself.
      return { scope, id, holder: holder ?? scope.accountId };
    },
    async complete(claim, sealedAnswer, lifeMs) {
      await db
        .updateTable('idempotency_record')
        .set({ claim: null, sealed_answer: sealedAnswer, expires_at: inForceFor(lifeMs) })
        .where(isClaim(claim))
        .execute();
    },
    async release(claim) {
      await db.deleteFrom('idempotency_record').where(isClaim(claim)).execute();
    },
    async deleteExpired() {
      // Waits for nobody: it must not lock in another order than those who write.
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
 * Writes records in the transaction of the work that they tell of; answers the `keyText` of those that are written. The
 * others' keys have a record in force, or one that another transaction is writing: their work must not be done. No two
 * may have one key.
 */
export async function insertRecords(
  session: Database,
  records: readonly NewIdempotencyRecord[],
): Promise<ReadonlySet<string>> {
  const rows = records.map((record) => ({ ...record, claim: null, challengeId: null }));
  return new Set((await insertRows(session, rows)).keys());
}

/** A text of its own for each scope. */
export const keyText = ({ accountId, path, key }: IdempotencyScope): string =>
  JSON.stringify([accountId, path, key]);

interface Row {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
  readonly claim: string | null;
  readonly sealedAnswer: Buffer | null;
  readonly challengeId: string | null;
  readonly lifeMs: number;
}

/**
 * Inserts rows whose keys are free, by `keyText` with the challenge that was found. The advisory lock is held until the
 * transaction ends: a key that another one holds is left alone instead of waited for, since one transaction writes the
 * records of many requests. The row itself decides, should a lock be had too early. A challenge that is being erased is
 * waited for, and then not there.
 */
async function insertRows(
  session: Database,
  rows: readonly Row[],
): Promise<Map<string, { challengeId: string | null }>> {
  if (rows.length === 0) return new Map();
  const array = (type: string, read: (row: Row) => unknown) => sql`${rows.map(read)}::${sql.raw(type)}[]`;
  const { rows: written } = await sql<{ at: number; challenge_id: string | null }>`
    with given as materialized (
      select *, pg_try_advisory_xact_lock(hashtextextended(lock_key, 0)) as is_free
      from unnest(${array('text', (row) => keyText(row.scope))}, ${array('text', (row) => row.scope.accountId)},
        ${array('text', (row) => row.scope.path)}, ${array('text', (row) => row.scope.key)},
        ${array('bytea', (row) => row.fingerprint)}, ${array('uuid', (row) => row.claim)},
        ${array('bytea', (row) => row.sealedAnswer)}, ${array('text', (row) => row.challengeId)},
        ${array('float8', (row) => row.lifeMs)})
        with ordinality as given (lock_key, account_id, path, key, fingerprint, claim, sealed_answer, challenge_id,
          life_ms, at)
    ), written as (
      insert into idempotency_record (account_id, path, key, fingerprint, claim, sealed_answer, challenge_id, created_at,
        expires_at)
      select account_id, path, key, fingerprint, claim, sealed_answer,
        (select c.id from challenge c where c.id = given.challenge_id and c.account_id = given.account_id for key share),
        now(), now() + life_ms * interval '1 millisecond'
      from given where is_free
      on conflict (account_id, path, key) do update set fingerprint = excluded.fingerprint, claim = excluded.claim,
        sealed_answer = excluded.sealed_answer, challenge_id = excluded.challenge_id,
        created_at = excluded.created_at, expires_at = excluded.expires_at
      where idempotency_record.expires_at <= now()
      returning account_id, path, key, challenge_id
    )
    select given.at::int, written.challenge_id from given join written using (account_id, path, key)`.execute(
    session,
  );
  return new Map(
    written.map((row) => [keyText(rows[row.at - 1]!.scope), { challengeId: row.challenge_id }] as const),
  );
}

async function findRecord(db: Database, scope: IdempotencyScope) {
  const row = await db
    .selectFrom('idempotency_record')
    .select(['fingerprint', 'sealed_answer', 'challenge_id', 'created_at'])
    .where(isOf(scope))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) return null;
  const holder = await holderOf(db, scope.accountId, row.challenge_id);
  // Erased between the two statements, and the record with it.
  if (!holder) return null;
  return {
    fingerprint: row.fingerprint,
    sealedAnswer: row.sealed_answer,
    holder,
    createdAt: row.created_at,
  };
}

/** Null where the challenge is erased. */
async function holderOf(
  db: Database,
  accountId: string,
  challengeId: string | null,
): Promise<KeyHolder | null> {
  if (challengeId === null) return accountId;
  const keys = (await readChallengeKeys(db, [challengeId])).get(challengeId);
  return keys ? { accountId, erasureKey: keys.detailsKey } : null;
}

const inForceFor = (lifeMs: number) => sql<Date>`now() + ${lifeMs} * interval '1 millisecond'`;

const isOf = (scope: IdempotencyScope) =>
  sql<boolean>`account_id = ${scope.accountId} and path = ${scope.path} and key = ${scope.key}`;

const isClaim = (claim: IdempotencyClaim) => sql<boolean>`${isOf(claim.scope)} and claim = ${claim.id}::uuid`;
