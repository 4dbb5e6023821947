// Creations in groups: many challenges, what they name, their audit lines and their kept answers in one statement and one
// commit (docs/decisions/0011-group-commit.md).
import { sql } from 'kysely';
import { createGroupCommit } from '../../base/group-commit.ts';
import type { IdempotencyScope, InsertOutcome, KeptAnswer, NewChallenge } from '../../challenge/store.ts';
import { type Creation, insertCreations, type Once } from './challenge-creation.ts';
import type { Database } from './database.ts';

/** Replays end after a day. */
const KEPT_FOR = sql`interval '24 hours'`;

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
  if (keyed.length === 0) return insertCreations(db, creations);
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
    const fresh = await insertCreations(
      trx,
      creations.filter((_, at) => decided[at] === null),
    );
    let next = 0;
    return decided.map((outcome) => outcome ?? fresh[next++]!);
  });
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

const keyText = ({ accountId, path, key }: IdempotencyScope): string =>
  JSON.stringify([accountId, path, key]);
