// Creations in groups: many challenges, what they name, their audit lines and their kept answers in one statement and one
// commit (docs/decisions/0015-group-commit.md).
import { sql } from 'kysely';
import { createGroupCommit } from '../../base/group-commit.ts';
import type { IdempotencyScope, InsertOutcome, KeptAnswer, NewChallenge } from '../../challenge/store.ts';
import type { Database } from './database.ts';

/** Replays end after a day. */
const KEPT_FOR = sql`interval '24 hours'`;

/** The answer to be kept for replay with the challenge. */
interface Once {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly sealedResponse: Buffer;
}

/** One creation that waits for its group. */
interface Creation {
  readonly challenge: NewChallenge;
  readonly once: Once | null;
}

/** Rows of one statement: about 2 ms of work, so that nobody waits long for the group before. */
const MAX_BATCH = 100;

/** Inserts challenges. Answers after the commit. */
export function createChallengeGroup(
  db: Database,
): (challenge: NewChallenge, once: Once | null) => Promise<InsertOutcome> {
  const group = createGroupCommit<Creation, InsertOutcome>({
    maxBatch: MAX_BATCH,
    write: (creations) => writeGroup(db, creations),
    // A session holds its own advisory lock twice: in one transaction both would think themselves first.
    keyOf: ({ once }) => once && keyText(once.scope),
  });
  return (challenge, once) => group({ challenge, once });
}

async function writeGroup(
  db: Database,
  creations: readonly Creation[],
): Promise<readonly (InsertOutcome | Promise<InsertOutcome>)[]> {
  try {
    return await insertAll(db, creations);
  } catch (error) {
    if (creations.length === 1 || !isFaultOfARow(error)) throw error;
    // Nothing was written. Alone, each finds out whether the fault was its own.
    return creations.map(async (creation) => (await insertAll(db, [creation]))[0]!);
  }
}

/** Class 22 is a value, 23 a constraint. Anything else meets all: written again, a commit could be done twice. */
function isFaultOfARow(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string } | null)?.code ?? '');
}

function insertAll(db: Database, creations: readonly Creation[]): Promise<InsertOutcome[]> {
  const keyed = creations.flatMap(({ once }) => (once ? [once.scope] : []));
  if (keyed.length === 0) return insertUnkept(db, creations);
  return db.transaction().execute(async (trx) => {
    const taken = await lockKeys(trx, keyed.map(keyText));
    // A statement of its own: it must see what was committed before the locks were had.
    const decided = await Promise.all(
      creations.map(async (creation): Promise<InsertOutcome | null> => {
        if (!creation.once) return null;
        if (!taken.has(keyText(creation.once.scope))) return { status: 'inFlight' };
        const kept = await findKept(trx, creation.once.scope);
        return kept && { status: 'known', kept };
      }),
    );
    const fresh = await insertUnkept(
      trx,
      creations.filter((_, at) => decided[at] === null),
    );
    let next = 0;
    return decided.map((outcome) => outcome ?? fresh[next++]!);
  });
}

/** Times are the transaction's: a replay reckons `expires_at` from the kept answer's. */
async function insertUnkept(db: Database, creations: readonly Creation[]): Promise<InsertOutcome[]> {
  if (creations.length === 0) return [];
  const challenges = creations.map((creation) => creation.challenge);
  const kept = creations.flatMap(({ once }) => (once ? [once] : []));
  const named = challenges.flatMap(({ id, featidIds }) =>
    featidIds.map((featidId) => ({ challengeId: id, featidId })),
  );
  const { rows } = await sql<{ created_at: Date; id: string; expires_at: Date }>`
    with audited as (
      insert into audit (actor, action, account_id, subject)
      select actor, 'challenge.created', account_id, id from ${columns(AUDITED, challenges)}
    ), ${kept.length > 0 ? keptAnswers(kept) : sql``}
    inserted as (
      insert into challenge (id, account_id, sandbox, customer_reference, liveness_only, require_consent, flow,
        sealed_request, link_hash, expires_at)
      select id, account_id, sandbox, customer_reference, liveness_only, require_consent, flow::jsonb,
        sealed_request, link_hash, now() + seconds * interval '1 second'
      from ${columns(CREATED, challenges)}
      returning id, created_at, expires_at
    )${named.length > 0 ? sql`, ${namedFeatids(named)}` : sql``}
    select id, created_at, expires_at from inserted`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return challenges.map(({ id }) => {
    const { created_at: createdAt, expires_at: expiresAt } = byId.get(id)!;
    return { status: 'created', createdAt, expiresAt };
  });
}

function keptAnswers(kept: readonly Once[]) {
  return sql`kept as (
    insert into idempotency (account_id, path, key, fingerprint, response_status, sealed_response, created_at)
    select account_id, path, key, fingerprint, response_status, sealed_response, now() from ${columns(KEPT, kept)}
    -- a key of more than a day ago that the sweep has not reached yet
    on conflict (account_id, path, key) do update set fingerprint = excluded.fingerprint,
      response_status = excluded.response_status, sealed_response = excluded.sealed_response,
      created_at = excluded.created_at
  ),`;
}

/** Retention leaves these alone until the challenge closes. One that it deleted a moment ago is passed over. */
function namedFeatids(named: readonly Named[]) {
  return sql`named as (
    insert into featid_reservation (featid_id, challenge_id)
    select given.featid_id, given.challenge_id from ${columns(NAMED, named)} join featid f on f.id = given.featid_id
  )`;
}

/** Takes the locks of Idempotency-Keys that nobody holds, until the transaction ends; answers which. */
async function lockKeys(trx: Database, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string; taken: boolean }>`
    select key, pg_try_advisory_xact_lock(hashtextextended(key, 0)) as taken
    from unnest(${keys}::text[]) as given (key)`.execute(trx);
  return new Set(rows.flatMap(({ key, taken }) => (taken ? [key] : [])));
}

export async function findKept(db: Database, scope: IdempotencyScope): Promise<KeptAnswer | null> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'sealed_response', 'created_at'])
    .where('account_id', '=', scope.accountId)
    .where('path', '=', scope.path)
    .where('key', '=', scope.key)
    .where('created_at', '>', sql<Date>`now() - ${KEPT_FOR}`)
    .executeTakeFirst();
  if (!row) return null;
  return { fingerprint: row.fingerprint, sealedResponse: row.sealed_response, createdAt: row.created_at };
}

/** A FeatureID that a challenge compares with. */
interface Named {
  readonly challengeId: string;
  readonly featidId: string;
}

/** A column of `unnest`: its name, PostgreSQL type, and value in a row. */
type Column<T> = readonly [name: string, type: string, read: (row: T) => unknown];

const AUDITED: readonly Column<NewChallenge>[] = [
  ['actor', 'text', (row) => row.actor],
  ['account_id', 'text', (row) => row.accountId],
  ['id', 'text', (row) => row.id],
];
const CREATED: readonly Column<NewChallenge>[] = [
  ['id', 'text', (row) => row.id],
  ['account_id', 'text', (row) => row.accountId],
  ['sandbox', 'boolean', (row) => row.sandbox],
  ['customer_reference', 'text', (row) => row.customerReference],
  ['liveness_only', 'boolean', (row) => row.livenessOnly],
  ['require_consent', 'boolean', (row) => row.requireConsent],
  ['flow', 'text', (row) => JSON.stringify(row.flow)],
  ['sealed_request', 'bytea', (row) => row.sealedRequest],
  ['link_hash', 'bytea', (row) => row.linkHash],
  ['seconds', 'integer', (row) => row.expiresInSeconds],
];
const KEPT: readonly Column<Once>[] = [
  ['account_id', 'text', (row) => row.scope.accountId],
  ['path', 'text', (row) => row.scope.path],
  ['key', 'text', (row) => row.scope.key],
  ['fingerprint', 'bytea', (row) => row.fingerprint],
  ['response_status', 'smallint', (row) => row.status],
  ['sealed_response', 'bytea', (row) => row.sealedResponse],
];
const NAMED: readonly Column<Named>[] = [
  ['featid_id', 'text', (row) => row.featidId],
  ['challenge_id', 'text', (row) => row.challengeId],
];

/** Rows as arrays, one parameter a column: the statement's text is the same for any number of rows. */
function columns<T>(shape: readonly Column<T>[], rows: readonly T[]) {
  const arrays = shape.map(([, type, read]) => sql`${rows.map(read)}::${sql.raw(type)}[]`);
  return sql`unnest(${sql.join(arrays)}) as given (${sql.raw(shape.map(([name]) => name).join(', '))})`;
}

const keyText = ({ accountId, path, key }: IdempotencyScope): string =>
  JSON.stringify([accountId, path, key]);
