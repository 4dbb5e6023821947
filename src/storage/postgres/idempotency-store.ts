// The table of idempotency records (port: src/idempotency/ports.ts). A record is in force until `expires_at`; after
// that it counts as absent, whether or not the sweep has deleted it.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createGroup } from '../../base/group.ts';
import type { ChallengeKeys } from '../../challenge/challenge.ts';
import type {
  IdempotencyClaim,
  IdempotencyRecord,
  IdempotencyScope,
  IdempotencyStore,
  NewIdempotencyRecord,
} from '../../idempotency/ports.ts';
import type { KeyHolder } from '../../keys/account-keys.ts';
import type { Database } from './database.ts';
import { readChallengeKeys } from './keys/challenge-keys.ts';

/** Most scopes per statement. Chosen, not measured. */
const MAX_BATCH = 100;

/**
 * @param planned for look-ups, one of which every request with a key makes
 */
export function createIdempotencyStore(db: Database, planned: Database = db): IdempotencyStore {
  return {
    find: createGroup({ maxBatch: MAX_BATCH, work: (scopes) => findRecords(planned, scopes) }),
    insert: async (record) => (await insertRecords(db, [record])).has(keyText(record.scope)),
    async claim({ scope, fingerprint, challengeId, lifeMs }) {
      const id = randomUUID();
      const row = { scope, fingerprint, lifeMs, challengeId, claim: id, sealedAnswer: null };
      const written = (await insertRows(db, [row])).get(keyText(scope));
      if (!written) return null;
      const keys = await readChallengeKeys(db, written.challengeId === null ? [] : [written.challengeId]);
      const holder = holderOf(scope.accountId, written.challengeId, keys);
      // Erased meanwhile, and the claim with it: the work itself will find out.
      return { scope, id, holder: holder ?? scope.accountId };
    },
    async complete(claim, sealedAnswer, lifeMs) {
      await db
        .updateTable('idempotency_record')
        .set({ claim: null, sealed_answer: sealedAnswer, expires_at: expiresAfter(lifeMs) })
        .where(isClaim(claim))
        .execute();
    },
    async release(claim) {
      await db.deleteFrom('idempotency_record').where(isClaim(claim)).execute();
    },
    async deleteExpired() {
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
 * Writes records in the transaction of the work that they describe; resolves with the `keyText` of those written. Every
 * other key has a record in force, or one that another transaction is writing: its work must not be done. No two
 * records may have the same key.
 */
export async function insertRecords(
  session: Database,
  records: readonly NewIdempotencyRecord[],
): Promise<ReadonlySet<string>> {
  const rows = records.map((record) => ({ ...record, claim: null, challengeId: null }));
  return new Set((await insertRows(session, rows)).keys());
}

/** A text that is unique to each scope. */
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
 * Inserts rows whose keys are free; resolves with them by `keyText`, with the challenge that was found. The advisory
 * lock is held until the transaction ends. A key that another transaction holds is skipped instead of waited for, since
 * one transaction writes the records of many requests. If a lock is obtained too early, the row itself decides. A
 * challenge that is being erased is waited for, and then not found.
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
        -- IS TRUE: see isOwnedBy (owned-by.ts)
        (select c.id from challenge c where c.id = given.challenge_id and (c.account_id = given.account_id) is true for key share),
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

/** The records in force of these scopes, in the same order. */
async function findRecords(
  db: Database,
  scopes: readonly IdempotencyScope[],
): Promise<(IdempotencyRecord | null)[]> {
  const { rows } = await sql<{
    at: number;
    fingerprint: Buffer;
    sealed_answer: Buffer | null;
    challenge_id: string | null;
    created_at: Date;
  }>`select given.at::int, r.fingerprint, r.sealed_answer, r.challenge_id, r.created_at
    from unnest(${scopes.map(({ accountId }) => accountId)}::text[], ${scopes.map(({ path }) => path)}::text[],
      ${scopes.map(({ key }) => key)}::text[]) with ordinality as given (account_id, path, key, at)
    join idempotency_record r using (account_id, path, key) where r.expires_at > now()`.execute(db);
  const found: (IdempotencyRecord | null)[] = scopes.map(() => null);
  const keys = await readChallengeKeys(
    db,
    rows.flatMap(({ challenge_id }) => challenge_id ?? []),
  );
  for (const { at, fingerprint, sealed_answer, challenge_id, created_at } of rows) {
    const holder = holderOf(scopes[at - 1]!.accountId, challenge_id, keys);
    // Without a holder, the challenge was erased between the two statements, and the record with it.
    if (holder) found[at - 1] = { fingerprint, sealedAnswer: sealed_answer, holder, createdAt: created_at };
  }
  return found;
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
